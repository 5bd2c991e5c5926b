import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readRepositoryLock } from '../../src/core/controller/repositoryLock';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import { eventually } from '../support/eventually';
import { ChildScenario } from './childScenario';

const TIME_TO_LIVE_MS = 5_000;

describe('a process that is killed', () => {
  let scenario: ChildScenario;
  beforeEach(() => {
    scenario = new ChildScenario();
  });
  afterEach(() => scenario.dispose());

  it('blocks with its lease until that expires, and not longer', async () => {
    const [victim, survivor] = await Promise.all([scenario.child(), scenario.child()]);
    const held = await scenario.acquire(victim, 'fast:victim');
    assert.ok(held.acquired);
    await scenario.kill(victim);
    const left = scenario.leasesOnDisk();
    assert.equal(left.length, 3);
    const expiresAt = Date.parse(left[0]?.expiresAt ?? '');

    let refusals = 0;
    const granted = await eventually('a grant after the expiry', TIME_TO_LIVE_MS + 5_000, async () => {
      const result = await scenario.acquire(survivor, 'fast:survivor');
      if (result.acquired) return { at: Date.now(), leases: result.leases };
      refusals += 1;
      const blockers = result.blockers.map(blocker => blocker.kind === 'lease' && blocker.lease.ownerJobId);
      assert.deepEqual([...new Set(blockers)], ['fast:victim']);
      return undefined;
    });
    assert.ok(refusals > 10, `${refusals} refusals`);
    assert.ok(granted.at >= expiresAt, 'not before the expiry');
    assert.ok(granted.at < expiresAt + 3_000, `granted ${granted.at - expiresAt} ms after the expiry`);
    assert.deepEqual(
      granted.leases.map(({ fencingToken }) => fencingToken),
      left.map(() => 2),
    );
    assert.deepEqual(scenario.liveOwners(), ['fast:survivor']);
    assert.equal(scenario.leasesOnDisk().length, 6, 'the dead lease is nobody’s to delete');
  });

  it('blocks with its lock until that expires; then one of several waiters gets in', async () => {
    const holder = await scenario.child();
    const waiters = await Promise.all([scenario.child(), scenario.child(), scenario.child()]);
    const { done } = await holder.askUntil('lockHold', { owner: 'slow', holdMs: 60_000 }, 'held');
    const ended = assert.rejects(done);
    await scenario.kill(holder);
    await ended;
    const lock = readRepositoryLock(nodeFileSystem, scenario.paths.lockFile);
    assert.ok(lock.kind === 'record', readFileSync(scenario.paths.lockFile, 'utf8'));
    const expiresAt = Date.parse(lock.record.expiresAt ?? '');

    const early = await scenario.acquire(waiters[0], 'fast:early', { waitMs: 50 });
    assert.deepEqual(!early.acquired && early.blockers.map(({ kind }) => kind), ['lock']);
    const waiting = waiters.map(async (child, index) => {
      const result = await scenario.acquire(child, `fast:${index}`, { waitMs: 15_000 });
      return { acquired: result.acquired, at: Date.now() };
    });
    const outcomes = await Promise.all(waiting);
    assert.equal(outcomes.filter(({ acquired }) => acquired).length, 1);
    for (const { at } of outcomes) assert.ok(at >= expiresAt && at < expiresAt + 4_000, `${at - expiresAt} ms`);
    assert.equal(scenario.liveOwners().length, 1);
  });
});
