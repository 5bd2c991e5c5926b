import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HeldLease } from '../../../src/core/gate/heldLease';
import { codeOf } from '../../../src/core/leaseError';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';
import { jsonText } from '../../../src/core/storage/atomicJson';
import { type FileSystem, nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { FailingFileSystem } from '../../support/failingFileSystem';
import { StoreScenario } from '../../support/storeScenario';

const TIME_TO_LIVE_MS = 30_000;
const THIRD_MS = 10_000;

describe('held lease', () => {
  let scenario: StoreScenario;
  beforeEach(() => {
    scenario = new StoreScenario();
  });
  afterEach(() => scenario.dispose());

  async function hold(fileSystem: FileSystem = nodeFileSystem): Promise<HeldLease> {
    const claims = ['workspace:c1', 'git-index:c1'].map(resourceKey => ({ resourceKey, mode: 'write' as const }));
    const since = scenario.clock.monotonic();
    const leases = await scenario.granted({ claims, timeToLiveMs: TIME_TO_LIVE_MS });
    return new HeldLease(scenario.store(fileSystem), 'fast:a', leases, TIME_TO_LIVE_MS, scenario.clock, since);
  }

  const pass = async (ms: number) => {
    scenario.clock.advance(ms);
    await setImmediate();
  };
  const onDisk = () => Object.values(scenario.leases()).map(text => JSON.parse(text) as LeaseRecord);
  const lostBy = (held: HeldLease) => (held.signal.aborted ? codeOf(held.signal.reason) : 'not lost');
  const anyLease = () => path.join(scenario.paths.activeLeases, readdirSync(scenario.paths.activeLeases)[0] ?? '');

  function plantLock(timeToLiveMs: number): void {
    const at = new Date(scenario.clock.wall()).toISOString();
    const expiresAt = new Date(scenario.clock.wall() + timeToLiveMs).toISOString();
    const lock = { scope: 'repository', lockId: 'x', owner: 'JOB-9', pid: 1, acquiredAt: at, heartbeatAt: at };
    mkdirSync(scenario.paths.locks, { recursive: true });
    writeFileSync(scenario.paths.lockFile, jsonText({ ...lock, expiresAt, path: scenario.paths.lockFile }));
  }

  it('is renewed at each third of its time', async () => {
    const held = await hold();
    await pass(THIRD_MS - 1);
    assert.equal(held.renewCount, 0);
    await pass(1);
    assert.equal(held.renewCount, 1);
    for (let beat = 2; beat <= 30; beat++) {
      await pass(THIRD_MS);
      assert.equal(held.renewCount, beat);
    }
    const expiresAt = new Date(scenario.clock.wall() + TIME_TO_LIVE_MS).toISOString();
    assert.deepEqual(
      onDisk().map(lease => lease.expiresAt),
      [expiresAt, expiresAt],
    );
    assert.equal(held.expiresAt, expiresAt);
    assert.equal(lostBy(held), 'not lost');
    held.assert();
    await held.release();
  });

  it('waits for the repository lock and loses nothing', async () => {
    const held = await hold();
    await pass(THIRD_MS - 1);
    plantLock(5_000);
    await scenario.clock.advanceSlowly(4_000);
    assert.equal(held.renewCount, 0);
    await scenario.clock.advanceSlowly(2_000);
    assert.equal(held.renewCount, 1);
    assert.equal(lostBy(held), 'not lost');
    await held.release();
    assert.deepEqual(onDisk(), []);
  });

  for (const code of ['ENOSPC', 'EIO', 'EMFILE']) {
    it(`tries a renewal again that the disk did not take (${code})`, async () => {
      const failing = new FailingFileSystem({ operation: 'renameSync', call: 1, code });
      const held = await hold(failing.fileSystem);
      await pass(THIRD_MS);
      assert.equal(failing.failed, true);
      assert.deepEqual([held.renewCount, lostBy(held)], [0, 'not lost']);
      await pass(250);
      assert.deepEqual([held.renewCount, lostBy(held)], [1, 'not lost']);
      await held.stop();
    });
  }

  it('is lost when no renewal succeeds in its time', async () => {
    const failing = new FailingFileSystem({ operation: 'renameSync', call: 1, forGood: true, code: 'ENOSPC' });
    const held = await hold(failing.fileSystem);
    await scenario.clock.advanceSlowly(TIME_TO_LIVE_MS - 10);
    assert.equal(lostBy(held), 'not lost');
    await pass(10);
    assert.equal(lostBy(held), 'LEASE_EXPIRED');
  });

  it('is lost at the first beat after a lease was removed', async () => {
    const held = await hold();
    rmSync(anyLease());
    await pass(THIRD_MS);
    assert.equal(lostBy(held), 'LEASE_EXPIRED');
    assert.equal(scenario.clock.pendingTimers, 0);
    assert.throws(
      () => held.assert(),
      error => codeOf(error) === 'MUTATION_OWNERSHIP_LOST',
    );
  });

  it('is lost when a lease carries another token', async () => {
    const held = await hold();
    const file = anyLease();
    writeFileSync(file, jsonText({ ...JSON.parse(readFileSync(file, 'utf8')), fencingToken: 99 }));
    await pass(THIRD_MS);
    assert.equal(lostBy(held), 'FENCING_TOKEN_STALE');
  });

  it('is lost when the wall clock alone says that it is over', async () => {
    const held = await hold();
    scenario.clock.stepWall(TIME_TO_LIVE_MS);
    assert.throws(
      () => held.assert(),
      error => codeOf(error) === 'MUTATION_OWNERSHIP_LOST',
    );
    assert.equal(lostBy(held), 'LEASE_EXPIRED');
  });

  it('is lost when the monotonic clock alone says that it is over', async () => {
    const failing = new FailingFileSystem({ operation: 'renameSync', call: 1, forGood: true, code: 'EIO' });
    const held = await hold(failing.fileSystem);
    scenario.clock.stepWall(-3_600_000);
    await scenario.clock.advanceSlowly(TIME_TO_LIVE_MS - 10);
    assert.equal(lostBy(held), 'not lost');
    await pass(10);
    assert.equal(lostBy(held), 'LEASE_EXPIRED');
  });

  it('survives a wall clock that is set back', async () => {
    const held = await hold();
    scenario.clock.stepWall(-3_600_000);
    for (let beat = 1; beat <= 6; beat++) await pass(THIRD_MS);
    assert.equal(lostBy(held), 'not lost');
    held.assert();
    await held.release();
  });

  it('asks the disk at the moment of the assertion', async () => {
    const held = await hold();
    held.assert();
    writeFileSync(anyLease(), '{');
    assert.throws(
      () => held.assert(),
      error => codeOf(error) === 'MUTATION_OWNERSHIP_LOST',
    );
    assert.equal(lostBy(held), 'LEASE_UNREADABLE');
  });

  it('tells of the loss once', async () => {
    const held = await hold();
    let told = 0;
    held.signal.addEventListener('abort', () => {
      told += 1;
    });
    rmSync(anyLease());
    assert.throws(() => held.assert());
    assert.throws(() => held.assert());
    await pass(TIME_TO_LIVE_MS);
    assert.equal(told, 1);
  });

  it('leaves no timer and no lease when it is given back', async () => {
    const held = await hold();
    await pass(THIRD_MS);
    const { released, missing } = await held.release();
    assert.deepEqual([released.length, missing, onDisk()], [2, [], []]);
    assert.equal(scenario.clock.pendingTimers, 0);
    await pass(TIME_TO_LIVE_MS * 2);
    assert.equal(lostBy(held), 'not lost');
  });

  it('lets a renewal that is under way end before it gives back', async () => {
    const held = await hold();
    await pass(THIRD_MS - 1);
    plantLock(5_000);
    await pass(1);
    const given = scenario.settle(held.release());
    assert.equal((await given).released.length, 2);
    assert.deepEqual(onDisk(), []);
    assert.equal(scenario.clock.pendingTimers, 0);
  });

  it('renews when it is asked, and says when that failed', async () => {
    const failing = new FailingFileSystem({ operation: 'renameSync', call: 2, code: 'EIO' });
    const held = await hold(failing.fileSystem);
    await assert.rejects(held.renew(), error => codeOf(error) === 'STORAGE_FAILED');
    await held.renew();
    assert.equal(held.renewCount, 1);
    held.assert();
    await held.stop();
    assert.equal(scenario.clock.pendingTimers, 0);
  });
});
