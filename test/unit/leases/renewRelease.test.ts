import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { Claim } from '../../../src/core/leases/claim';
import type { LeaseReference } from '../../../src/core/leases/leaseStore';
import { jsonText } from '../../../src/core/storage/atomicJson';
import { leaseText } from '../../support/leaseRecordFixture';
import { referencesOf, StoreScenario } from '../../support/storeScenario';

const CLAIMS: readonly Claim[] = ['workspace:c1', 'git-index:c1', 'git-head:c1'].map(resourceKey => ({
  resourceKey,
  mode: 'write',
}));

describe('renew and exact release', () => {
  let scenario: StoreScenario;
  let references: LeaseReference[];
  beforeEach(async () => {
    scenario = new StoreScenario();
    references = referencesOf(await scenario.granted({ claims: CLAIMS }));
  });
  afterEach(() => scenario.dispose());

  const renew = (owner: string, which: readonly LeaseReference[], timeToLiveMs: number) =>
    scenario.settle(scenario.store().renew(owner, which, timeToLiveMs));
  const release = (owner: string, which: readonly LeaseReference[]) =>
    scenario.settle(scenario.store().releaseExactly(owner, which));
  const fileOf = (index: number) => path.join(scenario.paths.activeLeases, `${references[index]?.leaseId}.json`);
  const edit = (index: number, members: object) =>
    writeFileSync(fileOf(index), jsonText({ ...JSON.parse(readFileSync(fileOf(index), 'utf8')), ...members }));
  const untouched = async (attempt: () => Promise<unknown>, code: string) => {
    const before = scenario.tree();
    await assert.rejects(attempt, { code });
    assert.deepEqual(scenario.tree(), before);
  };

  it('renews times and nothing else, members it does not know included', async () => {
    edit(0, { note: { of: ['a', 'later', 'version'] } });
    const before = readFileSync(fileOf(0), 'utf8');
    scenario.clock.advance(10_000);
    const renewed = await renew('fast:a', references, 30_000);
    const at = scenario.clock.wall();
    const times = { expiresAt: new Date(at + 30_000).toISOString(), heartbeatAt: new Date(at).toISOString() };
    assert.equal(readFileSync(fileOf(0), 'utf8'), jsonText({ ...JSON.parse(before), ...times }));
    assert.deepEqual(
      renewed.map(({ expiresAt, heartbeatAt }) => ({ expiresAt, heartbeatAt })),
      [times, times, times],
    );
  });

  it('never moves an expiry to an earlier time', async () => {
    const [first] = await renew('fast:a', references, 5_000);
    assert.equal(first?.expiresAt, new Date(scenario.clock.wall() + 30_000).toISOString());
  });

  it('renews a part of what an owner holds', async () => {
    scenario.clock.advance(1_000);
    const before = readFileSync(fileOf(1), 'utf8');
    await renew('fast:a', references.slice(0, 1), 60_000);
    assert.equal(readFileSync(fileOf(1), 'utf8'), before);
    assert.match(readFileSync(fileOf(0), 'utf8'), new RegExp(new Date(scenario.clock.wall() + 60_000).toISOString()));
  });

  it('renews nothing of another owner', async () => {
    await untouched(() => renew('fast:b', references, 60_000), 'FENCING_TOKEN_STALE');
  });

  it('renews none when one carries another token, is another identity’s, expired, gone or unreadable', async () => {
    const last = references.length - 1;
    edit(last, { fencingToken: 99 });
    await untouched(() => renew('fast:a', references, 60_000), 'FENCING_TOKEN_STALE');
    edit(last, { fencingToken: references[last]?.fencingToken, ownerIdentityDigest: '0'.repeat(64) });
    await untouched(() => renew('fast:a', references, 60_000), 'FENCING_TOKEN_STALE');
    edit(last, { ownerIdentityDigest: references[last]?.ownerIdentityDigest, expiresAt: '2026-01-01T12:00:00.000Z' });
    await untouched(() => renew('fast:a', references, 60_000), 'LEASE_EXPIRED');
    writeFileSync(fileOf(last), '{');
    await untouched(() => renew('fast:a', references, 60_000), 'LEASE_UNREADABLE');
    rmSync(fileOf(last));
    await untouched(() => renew('fast:a', references, 60_000), 'LEASE_EXPIRED');
  });

  it('does not bring back a lease that expired', async () => {
    scenario.clock.advance(30_000);
    await untouched(() => renew('fast:a', references, 60_000), 'LEASE_EXPIRED');
  });

  it('gives back exactly the set', async () => {
    assert.deepEqual(await release('fast:a', references), {
      released: references.map(({ leaseId }) => leaseId),
      missing: [],
    });
    assert.deepEqual(scenario.leases(), {});
  });

  it('reports what was gone already', async () => {
    rmSync(fileOf(1));
    const { released, missing } = await release('fast:a', references);
    assert.deepEqual([released.length, missing], [2, [references[1]?.leaseId]]);
  });

  it('refuses a set that names a lease twice, leaves one out, or does not match, and touches nothing', async () => {
    const [first, ...others] = references;
    assert.ok(first);
    await untouched(() => release('fast:a', [first, first]), 'LEASE_SET_INVALID');
    await untouched(() => release('fast:a', others), 'LEASE_SET_MISMATCH');
    await untouched(() => release('fast:b', references), 'LEASE_SET_FENCE_MISMATCH');
    const stale = { ...first, fencingToken: first.fencingToken + 1 };
    await untouched(() => release('fast:a', [...others, stale]), 'LEASE_SET_FENCE_MISMATCH');
    const another = { ...first, ownerIdentityDigest: '0'.repeat(64) };
    await untouched(() => release('fast:a', [...others, another]), 'LEASE_SET_FENCE_MISMATCH');
    writeFileSync(fileOf(0), '{');
    await untouched(() => release('fast:a', references), 'LEASE_SET_FENCE_MISMATCH');
  });

  it('is not held up by an expired lease of the same owner', async () => {
    scenario.clock.advance(30_000);
    const again = referencesOf(await scenario.granted({ claims: CLAIMS }));
    assert.deepEqual((await release('fast:a', again)).released.length, 3);
  });

  for (const leaseId of ['../../victim', 'sub/victim']) {
    for (const named of [leaseId, 'victim']) {
      it(`never reaches a file outside by a reference to ${leaseId}, even one that is named ${named}`, async () => {
        const victim = path.join(scenario.paths.activeLeases, `${leaseId}.json`);
        mkdirSync(path.dirname(victim), { recursive: true });
        writeFileSync(victim, leaseText({ leaseId: named }));
        const reference = { leaseId, fencingToken: 7 };
        assert.throws(() => scenario.store().assertHeld(reference), { code: 'LEASE_UNREADABLE' });
        await untouched(() => renew('JOB-1', [reference], 60_000), 'LEASE_UNREADABLE');
        await untouched(() => release('JOB-1', [reference]), 'LEASE_SET_FENCE_MISMATCH');
      });
    }
  }

  it('is refused while a runtime fences the home', async () => {
    const owner = path.join(scenario.home, 'runtime/active-runtime-owner.json');
    mkdirSync(path.dirname(owner), { recursive: true });
    writeFileSync(owner, '');
    await untouched(() => renew('fast:a', references, 60_000), 'WRITER_FENCED');
    await untouched(() => release('fast:a', references), 'WRITER_FENCED');
  });
});
