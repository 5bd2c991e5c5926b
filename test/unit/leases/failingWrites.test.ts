import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { codeOf, LEASE_ERROR_CODES } from '../../../src/core/leaseError';
import type { Claim } from '../../../src/core/leases/claim';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';
import { FailingFileSystem, type FileOperation } from '../../support/failingFileSystem';
import { interceptedFileSystem } from '../../support/interceptedFileSystem';
import { referencesOf, StoreScenario } from '../../support/storeScenario';

const OPERATIONS = [
  'writeFileSync',
  'renameSync',
  'linkSync',
  'mkdirSync',
  'unlinkSync',
  'openSync',
  'readdirSync',
  'readFileSync',
  'fstatSync',
  'lstatSync',
  'closeSync',
] as const satisfies readonly FileOperation[];
const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE'] as const;
/** More calls of one operation than any step makes. */
const MOST_CALLS = 60;

const CLAIMS: readonly Claim[] = ['workspace:c1', 'git-index:c1', 'git-head:c1'].map(resourceKey => ({
  resourceKey,
  mode: 'write',
}));

const REQUEST = { owner: 'fast:a', claims: CLAIMS, timeToLiveMs: 30_000 } as const;

interface Attempt {
  readonly scenario: StoreScenario;
  readonly disk: FailingFileSystem;
  /** Which call failed, for the message of a failing test. */
  readonly what: string;
}

/** Runs a step once for each call of each operation that it makes, with that call failing. Returns how many there were. */
async function atEachCall(
  prepare: (scenario: StoreScenario) => Promise<unknown>,
  step: (attempt: Attempt) => Promise<void>,
) {
  let faults = 0;
  for (const [index, operation] of OPERATIONS.entries()) {
    for (let call = 1; call < MOST_CALLS; call++) {
      const code = CODES[(index + call) % CODES.length] ?? 'EIO';
      const scenario = new StoreScenario();
      try {
        await prepare(scenario);
        const disk = new FailingFileSystem({ operation, call, code });
        await step({ scenario, disk, what: `${operation} #${call} ${code}` });
        if (!disk.failed) break;
        faults += 1;
        assert.ok(call + 1 < MOST_CALLS, `${operation} is called too often to be walked through`);
      } finally {
        scenario.dispose();
      }
    }
  }
  return faults;
}

/** What the call gave, or the code of what it threw, which must be one of the closed list. */
async function outcomeOf<T>(scenario: StoreScenario, call: Promise<T>, what: string): Promise<T | 'failed'> {
  try {
    return await scenario.settle(call);
  } catch (error) {
    const code: string = codeOf(error) ?? 'none';
    assert.ok((LEASE_ERROR_CODES as readonly string[]).includes(code), `${what}: ${String(error)}`);
    return 'failed';
  }
}

/** Nothing left keeps the next one out for longer than a lock lives, and its tokens are above all that were seen. */
async function assertGoesOn(scenario: StoreScenario, seen: readonly LeaseRecord[], what: string): Promise<void> {
  const leases = await scenario
    .granted({ owner: 'fast:next', claims: CLAIMS, waitMs: 15_000 })
    .catch(error => assert.fail(`${what}: ${String(error)}`));
  for (const lease of leases) {
    for (const { resourceKey, fencingToken } of seen) {
      assert.ok(resourceKey !== lease.resourceKey || lease.fencingToken > fencingToken, what);
    }
  }
}

const records = (scenario: StoreScenario) =>
  Object.values(scenario.leases()).map(text => JSON.parse(text) as LeaseRecord);

describe('one file operation that fails', () => {
  const withNeighbour = async (scenario: StoreScenario) => {
    await scenario.granted({ owner: 'fast:neighbour', claims: [{ resourceKey: 'path:c2:x', mode: 'write' }] });
  };

  for (const [where, prepare] of [
    ['an empty home', async () => undefined],
    ['a home in use', withNeighbour],
  ] as const) {
    it(`leaves an acquire in ${where} whole or undone, at every call`, async () => {
      const faults = await atEachCall(prepare, async ({ scenario, disk, what }) => {
        const before = scenario.leases();
        const call = scenario.store(disk.fileSystem).acquire(REQUEST);
        const result = await outcomeOf(scenario, call, what);
        const added = Object.keys(scenario.leases()).filter(file => !(file in before));
        const granted = result !== 'failed' && result.acquired ? result.leases : [];
        assert.equal(added.length, granted.length, what);
        for (const [file, text] of Object.entries(before)) assert.equal(scenario.leases()[file], text, what);
        if (granted.length > 0) {
          const store = scenario.store();
          await scenario
            .settle(store.releaseExactly('fast:a', referencesOf(granted)))
            .catch(() => scenario.clock.advance(10_000));
          await scenario.settle(store.releaseExactly('fast:a', referencesOf(granted)));
        }
        await assertGoesOn(scenario, granted, what);
      });
      assert.ok(faults > 40, `${faults} faults`);
    });
  }

  it('leaves each lease of a renewal old or new, and the renewal can be done again', async () => {
    const faults = await atEachCall(
      scenario => scenario.granted({ claims: CLAIMS }),
      async ({ scenario, disk, what }) => {
        const leases = records(scenario);
        scenario.clock.advance(1_000);
        const renewedTo = new Date(scenario.clock.wall() + 60_000).toISOString();
        const call = scenario.store(disk.fileSystem).renew('fast:a', referencesOf(leases), 60_000);
        const result = await outcomeOf(scenario, call, what);
        const now = records(scenario);
        assert.equal(now.length, leases.length, what);
        for (const lease of now) {
          const old = leases.find(({ leaseId }) => leaseId === lease.leaseId);
          const { expiresAt, heartbeatAt, ...rest } = lease;
          assert.deepEqual({ ...rest, expiresAt: old?.expiresAt, heartbeatAt: old?.heartbeatAt }, old, what);
          assert.ok(expiresAt === old?.expiresAt || expiresAt >= renewedTo, what);
          assert.ok(result === 'failed' || expiresAt >= renewedTo, what);
        }
        await scenario.settle(scenario.store().renew('fast:a', referencesOf(leases), 60_000, { waitMs: 15_000 }));
      },
    );
    assert.ok(faults > 30, `${faults} faults`);
  });

  it('leaves a release undone or begun, and it can be done again', async () => {
    const faults = await atEachCall(
      scenario => scenario.granted({ claims: CLAIMS }),
      async ({ scenario, disk, what }) => {
        const leases = records(scenario);
        const before = scenario.leases();
        const call = scenario.store(disk.fileSystem).releaseExactly('fast:a', referencesOf(leases));
        const result = await outcomeOf(scenario, call, what);
        const after = scenario.leases();
        for (const [file, text] of Object.entries(after)) assert.equal(text, before[file], what);
        if (result !== 'failed') assert.deepEqual(after, {}, what);
        // A lock that could not be removed is over by its time to live.
        scenario.clock.advance(10_000);
        const again = await scenario.settle(scenario.store().releaseExactly('fast:a', referencesOf(leases)));
        assert.equal(again.released.length, Object.keys(after).length, what);
        await assertGoesOn(scenario, leases, what);
      },
    );
    assert.ok(faults > 20, `${faults} faults`);
  });

  it('leaves no half-written file behind when the disk gets full, at any write', async () => {
    for (let at = 1; ; at++) {
      const scenario = new StoreScenario();
      let writes = 0;
      const fileSystem = interceptedFileSystem(({ operation, args: [file, text] }) => {
        if (operation !== 'writeFileSync' || !existsSync(path.dirname(String(file)))) return true;
        writes += 1;
        if (writes !== at) return true;
        writeFileSync(String(file), String(text).slice(0, String(text).length / 2));
        throw Object.assign(new Error('ENOSPC: made to fail'), { code: 'ENOSPC' });
      });
      const outcome = await outcomeOf(scenario, scenario.store(fileSystem).acquire(REQUEST), `write ${at}`);
      if (writes < at) {
        scenario.dispose();
        assert.ok(outcome !== 'failed' && at > 5, `${at} writes`);
        return;
      }
      assert.equal(outcome, 'failed', `write ${at}`);
      assert.deepEqual(
        Object.keys(scenario.tree()).filter(file => !file.includes('counters')),
        [],
        `write ${at}`,
      );
      for (const text of Object.values(scenario.tree())) JSON.parse(text);
      scenario.dispose();
    }
  });
});
