import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { StoreScenario } from '../../support/storeScenario';

describe('file of a lease', () => {
  let scenario: StoreScenario;
  beforeEach(() => {
    scenario = new StoreScenario();
  });
  afterEach(() => scenario.dispose());

  it('writes a record with these bytes', async () => {
    const claims = [{ resourceKey: 'workspace:c1', mode: 'write', repoId: 'repo_a', checkoutId: 'c1' }] as const;
    const [lease] = await scenario.granted({ claims: claims.map(claim => ({ ...claim, workId: 'w1' })) });
    assert.ok(lease);
    const text = readFileSync(path.join(scenario.paths.activeLeases, `${lease.leaseId}.json`), 'utf8');
    assert.equal(text, `${JSON.stringify(lease, null, 2)}\n`);
    assert.deepEqual(Object.keys(JSON.parse(text) as object), [
      'schemaVersion',
      'leaseId',
      'repoId',
      'checkoutId',
      'workId',
      'resourceKey',
      'mode',
      'ownerJobId',
      'ownerIdentity',
      'ownerIdentityDigest',
      'fencingToken',
      'acquiredAt',
      'expiresAt',
      'heartbeatAt',
      'visibility',
    ]);
    assert.equal(lease.visibility, 'ephemeral');
    assert.match(lease.leaseId, new RegExp(`^LEASE-${scenario.clock.wall()}-[0-9a-f]{8}$`));
  });
});
