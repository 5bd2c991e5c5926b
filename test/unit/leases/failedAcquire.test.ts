import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { codeOf, LEASE_ERROR_CODES } from '../../../src/core/leaseError';
import type { Claim } from '../../../src/core/leases/claim';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';
import type { AcquireResult, LeaseStore } from '../../../src/core/leases/leaseStore';
import { FailingFileSystem, type FileOperation } from '../../support/failingFileSystem';
import { StoreScenario } from '../../support/storeScenario';

/** Which calls fail, and with what an operating system gives there. */
const FAULTS = {
  writeFileSync: ['ENOSPC', 'EIO', 'EMFILE'],
  renameSync: ['ENOSPC', 'EIO'],
  linkSync: ['ENOSPC', 'EIO'],
  unlinkSync: ['EIO', 'ENOSPC'],
  openSync: ['EMFILE', 'EIO'],
  fstatSync: ['EIO'],
  readFileSync: ['EIO'],
  readdirSync: ['EMFILE', 'EIO'],
  lstatSync: ['EIO'],
  mkdirSync: ['ENOSPC'],
} as const satisfies Partial<Record<FileOperation, readonly string[]>>;
const CLAIMS: readonly Claim[] = ['workspace:c1', 'git-index:c1', 'git-head:c1'].map(resourceKey => ({
  resourceKey,
  mode: 'write',
}));

/** What a call under a failing disk came to. */
type End = { readonly value: unknown } | { readonly error: unknown };

describe('a failed acquire', () => {
  let scenario: StoreScenario;
  beforeEach(() => {
    scenario = new StoreScenario();
  });
  afterEach(() => scenario.dispose());

  const reset = () => {
    scenario.dispose();
    scenario = new StoreScenario();
  };

  async function endOf(call: Promise<unknown>): Promise<End> {
    let end: End | undefined;
    call.then(
      value => {
        end = { value };
      },
      (error: unknown) => {
        end = { error };
      },
    );
    for (;;) {
      await setImmediate();
      if (end) return end;
      scenario.clock.advance(5);
    }
  }

  /** Makes each call of one operation fail in turn, in a home of its own, until one is not reached any more. */
  async function failEach(
    operation: FileOperation,
    code: string,
    attempt: (store: LeaseStore, what: string) => Promise<void>,
  ): Promise<number> {
    for (let call = 1; ; call++) {
      reset();
      const failing = new FailingFileSystem({ operation, call, code });
      await attempt(scenario.store(failing.fileSystem), `${operation} ${call}, ${code}`);
      if (!failing.failed) return call - 1;
    }
  }

  const records = () => Object.values(scenario.leases()).map(text => JSON.parse(text) as LeaseRecord);
  const lockLeft = () => Object.keys(scenario.tree()).some(name => name.endsWith('repository.lock.json'));
  const assertOurs = (end: End, what: string) => {
    if (!('error' in end)) return;
    const code = codeOf(end.error);
    assert.ok(
      LEASE_ERROR_CODES.some(known => known === code),
      `${what}: ${String(end.error)}`,
    );
  };

  for (const [name, codes] of Object.entries(FAULTS)) {
    const operation = name as keyof typeof FAULTS;
    for (const code of codes) {
      it(`leaves no lease, no lock and no part of a file (${operation}, ${code})`, async () => {
        await failEach(operation, code, async (store, what) => {
          const end = await endOf(store.acquire({ owner: 'fast:a', claims: CLAIMS, timeToLiveMs: 30_000 }));
          assertOurs(end, what);
          const acquired = 'value' in end && (end.value as AcquireResult).acquired;
          assert.equal(records().length, acquired ? CLAIMS.length : 0, what);
          // What a failing unlink leaves behind is over by its own time; nothing else may be left.
          if (operation !== 'unlinkSync') {
            assert.ok(acquired || !lockLeft(), `${what}: the lock is left`);
            assert.ok(!Object.keys(scenario.tree()).some(file => file.endsWith('.tmp')), `${what}: a part is left`);
          }
          if (!acquired) await scenario.granted({ owner: 'fast:b', claims: CLAIMS });
        });
      });
    }
  }

  it('reaches every operation that it makes fail', async () => {
    for (const operation of [
      'writeFileSync',
      'renameSync',
      'linkSync',
      'unlinkSync',
      'openSync',
      'readdirSync',
    ] as const) {
      const reached = await failEach(operation, 'EIO', async store => {
        await endOf(store.acquire({ owner: 'fast:a', claims: CLAIMS, timeToLiveMs: 30_000 }));
      });
      assert.ok(reached > 0, operation);
    }
  });
});
