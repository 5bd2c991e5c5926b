import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { systemClock } from '../../src/core/clock';
import { LeaseDirectory } from '../../src/core/leases/leaseDirectory';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import type { LineProcess } from '../support/lineProcess';
import { type ForgeAcquire, PeerScenario, referencesTo } from './peerScenario';

const EPHEMERAL = { visibility: 'ephemeral' } as const;

describe('our lease store beside the real forge', () => {
  let scenario: PeerScenario;
  let forge: LineProcess;
  beforeEach(async () => {
    scenario = new PeerScenario();
    forge = await scenario.forge();
  });
  afterEach(() => scenario.dispose());

  const forgeAcquires = (owner: string, kind: string, options: object = EPHEMERAL) =>
    forge.ask<ForgeAcquire>('acquire', { repo: scenario.repoId, owner, claims: [scenario.claim(kind)], options });
  const forgeReleases = (owner: string) => forge.ask<number>('release', { repo: scenario.repoId, owner });
  const weAcquire = (owner: string, ...kinds: string[]) =>
    scenario.ourStore().acquire({ owner, claims: kinds.map(kind => scenario.claim(kind)), timeToLiveMs: 30_000 });

  it('reads what forge wrote, whole', async () => {
    const { leases } = await forgeAcquires('JOB-1', 'workspace', {});
    const directory = new LeaseDirectory(scenario.home.activeLeases, {
      fileSystem: nodeFileSystem,
      clock: systemClock(),
    });
    await directory.readAgain('all');
    const read = [...directory.entries].map(entry => (entry.kind === 'lease' ? entry.record : entry));
    assert.deepEqual(read, leases);
  });

  it('is refused by forge’s lease, and granted after its release', async () => {
    const { leases } = await forgeAcquires('JOB-1', 'workspace', {});
    const refused = await weAcquire('fast:ours', 'git-index');
    assert.equal(refused.acquired, false);
    assert.deepEqual(!refused.acquired && refused.blockers.map(blocker => blocker.kind === 'lease' && blocker.lease), [
      leases[0],
    ]);
    await forgeReleases('JOB-1');
    assert.equal((await weAcquire('fast:ours', 'git-index')).acquired, true);
  });

  it('refuses forge with our lease as blocker, until we give it back', async () => {
    const granted = await weAcquire('fast:ours', 'workspace');
    assert.ok(granted.acquired);
    const [ours] = granted.leases;
    const refused = await forgeAcquires('JOB-1', 'git-head');
    assert.equal(refused.acquired, false);
    assert.deepEqual(refused.blockers, [
      {
        resourceKey: ours?.resourceKey,
        ownerJobId: 'fast:ours',
        leaseId: ours?.leaseId,
        mode: 'write',
        ownerIdentityDigest: ours?.ownerIdentityDigest,
      },
    ]);
    await scenario.ourStore().releaseExactly('fast:ours', referencesTo(granted.leases));
    assert.equal((await forgeAcquires('JOB-1', 'git-head')).acquired, true);
  });

  it('writes leases that forge lists, asserts, renews and releases', async () => {
    const granted = await weAcquire('fast:ours', 'workspace', 'git-index');
    assert.ok(granted.acquired);
    const byId = (a: { leaseId: string }, b: { leaseId: string }) => (a.leaseId < b.leaseId ? -1 : 1);
    const listed = await forge.ask<{ leaseId: string }[]>('list', { repo: scenario.repoId });
    assert.deepEqual(listed.sort(byId), [...granted.leases].sort(byId));
    const [first] = granted.leases;
    const { leaseId, fencingToken } = first ?? assert.fail();
    assert.deepEqual(await forge.ask('assert', { repo: scenario.repoId, leaseId, fencingToken }), first);
    const expected = referencesTo(granted.leases);
    const renewed = await forge.ask<unknown[]>('renew', {
      repo: scenario.repoId,
      owner: 'fast:ours',
      ttlMs: 60_000,
      expected,
    });
    assert.equal(renewed.length, 2);
    assert.equal(await forgeReleases('fast:ours'), 2);
    assert.throws(() => scenario.ourStore().assertHeld({ leaseId, fencingToken }), { code: 'LEASE_EXPIRED' });
  });

  it('renews leases that forge wrote, to the same bytes but the times', async () => {
    const { leases } = await forgeAcquires('JOB-1', 'workspace', {});
    const file = path.join(scenario.home.activeLeases, `${leases[0]?.leaseId}.json`);
    const before = readFileSync(file, 'utf8');
    await scenario.ourStore().renew('JOB-1', referencesTo(leases), 60_000);
    const withoutTimes = (text: string) => text.replace(/"(expiresAt|heartbeatAt)": "[^"]*"/g, '$1');
    assert.equal(withoutTimes(readFileSync(file, 'utf8')), withoutTimes(before));
    assert.notEqual(readFileSync(file, 'utf8'), before);
  });

  it('draws tokens that grow across both', async () => {
    const tokens: number[] = [];
    for (let round = 0; round < 3; round++) {
      const theirs = await forgeAcquires('JOB-1', 'workspace');
      tokens.push(theirs.leases[0]?.fencingToken ?? 0);
      await forgeReleases('JOB-1');
      const ours = await weAcquire('fast:ours', 'workspace');
      assert.ok(ours.acquired);
      tokens.push(ours.leases[0]?.fencingToken ?? 0);
      await scenario.ourStore().releaseExactly('fast:ours', referencesTo(ours.leases));
    }
    assert.deepEqual(tokens, [1, 2, 3, 4, 5, 6]);
  });

  it('waits for forge’s repository lock no longer than asked, names its holder, and works when it is free', async () => {
    const { done } = await forge.askUntil('lockHold', { repo: scenario.repoId, owner: 'slow', holdMs: 1_500 }, 'held');
    const claims = [scenario.claim('workspace')];
    const refused = await scenario.ourStore().acquire({ owner: 'fast:a', claims, timeToLiveMs: 30_000, waitMs: 100 });
    assert.equal(refused.acquired, false);
    assert.deepEqual(!refused.acquired && refused.blockers.map(({ kind }) => kind), ['lock']);
    assert.match(JSON.stringify(refused), /by slow \(process \d+\) since/);
    const granted = await scenario
      .ourStore()
      .acquire({ owner: 'fast:b', claims, timeToLiveMs: 30_000, waitMs: 10_000 });
    assert.equal(granted.acquired, true);
    await done;
  });

  it('takes a repository lock that forge honours', async () => {
    const child = await scenario.ourChild();
    const { done } = await child.askUntil('lockHold', { owner: 'ours', holdMs: 800 }, 'held');
    const refused = await forgeAcquires('JOB-1', 'workspace');
    assert.equal(refused.acquired, false);
    assert.deepEqual(
      refused.blockers.map(({ resourceKey, ownerJobId }) => [resourceKey, ownerJobId]),
      [['controller-lock', 'ours']],
    );
    await done;
    assert.equal((await forgeAcquires('JOB-1', 'workspace')).acquired, true);
  });

  it('is refused by forge’s mutation gate while that renews, and granted when it ends', async () => {
    const { repoId: repo, checkoutId: checkout, root } = scenario;
    const hold = { repo, checkout, root, owner: 'req-1', ttlMs: 3_000, holdMs: 2_500 };
    const { done } = await forge.askUntil<{ busy: boolean; result: { renewCount: number } }>('gateHold', hold, 'held');
    const refused = await weAcquire('fast:ours', 'workspace', 'git-index', 'git-head');
    assert.equal(refused.acquired, false);
    const outcome = await done;
    assert.ok(JSON.stringify(outcome).includes('"renewCount":2'), JSON.stringify(outcome));
    assert.equal((await weAcquire('fast:ours', 'workspace', 'git-index', 'git-head')).acquired, true);
  });

  it('leaves no temporary file, guard or lock behind', async () => {
    const granted = await weAcquire('fast:ours', 'workspace');
    assert.ok(granted.acquired);
    await scenario.ourStore().releaseExactly('fast:ours', referencesTo(granted.leases));
    const left = readdirSync(scenario.home.path, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      left.filter(name => /\.(tmp|guard)$|repository\.lock\.json$/.test(name)),
      [],
    );
  });
});
