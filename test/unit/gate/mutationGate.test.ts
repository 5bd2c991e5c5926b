import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { systemClock } from '../../../src/core/clock';
import {
  type GateHelpers,
  type GateRequest,
  type MutationGate,
  withMutationGate,
} from '../../../src/core/gate/mutationGate';
import { codeOf } from '../../../src/core/leaseError';
import { LeaseStore } from '../../../src/core/leases/leaseStore';
import { ownerIdentityDigest } from '../../../src/core/leases/ownerIdentity';
import { probeProcess } from '../../../src/core/process/liveness';
import { nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { TestHome } from '../../support/controllerHome';
import { git, makeRepository } from '../../support/gitRepository';

describe('mutation gate', () => {
  let scratch: string;
  let home: TestHome;
  const clock = systemClock();
  const common = { clock, environment: {}, processId: process.pid };

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'lh-gate-'));
    home = new TestHome(path.join(scratch, 'home'), makeRepository(path.join(scratch, 'app')));
  });
  afterEach(() => {
    assert.deepEqual(readdirSync(home.activeLeases), [], 'leases are left');
    assert.deepEqual(readdirSync(path.dirname(home.lockFile)), [], 'a lock is left');
    rmSync(scratch, { recursive: true, force: true });
  });

  const run = <T>(
    operation: (helpers: GateHelpers) => Promise<T>,
    members: Partial<GateRequest> = {},
    program = 'git',
  ) => {
    const store = new LeaseStore(home.path, home.repoId, { ...common, fileSystem: nodeFileSystem });
    const request = { store, checkoutId: home.checkoutId, root: home.root, operation: 'commit', ownership: {} };
    return withMutationGate({ ...request, ...members }, { ...common, git: program, probe: probeProcess }, operation);
  };
  const leaseFiles = () => readdirSync(home.activeLeases).map(name => path.join(home.activeLeases, name));

  it('runs the operation under leases and tells what it stood on', async () => {
    writeFileSync(path.join(home.root, 'new.ts'), '');
    let held = 0;
    const outcome = await run(async ({ renew, assert: assertHeld, ownershipLost }) => {
      held = leaseFiles().length;
      await renew();
      assertHeld();
      return ownershipLost();
    });
    assert.ok(outcome.kind === 'done');
    const { gate, value } = outcome;
    assert.deepEqual([held, value, outcome.notReleased], [3, false, undefined]);
    assert.equal(gate.baseHead, git(home.root, 'rev-parse', 'HEAD').trim());
    assert.equal(gate.baseStatusHash, createHash('sha256').update('?? new.ts\n').digest('hex'));
    assert.equal(gate.baseStatusMissing, undefined);
    assert.equal(gate.renewCount, 1);
    assert.match(gate.owner, /^fast:leasehold-commit-[0-9a-f-]{36}$/);
    const keys = ['workspace', 'git-index', 'git-head'].map(kind => `${kind}:${home.checkoutId}`);
    assert.deepEqual(
      gate.claims.map(({ resourceKey }) => resourceKey),
      keys,
    );
    assert.equal(gate.leaseIds.length, 3);
    assert.deepEqual(gate.fencingTokens, Object.fromEntries(gate.leaseIds.map(leaseId => [leaseId, 1])));
    assert.equal(gate.ownerIdentityDigest, ownerIdentityDigest(gate.ownerIdentity));
    assert.deepEqual([gate.repoId, gate.checkoutId, gate.timeToLiveMs], [home.repoId, home.checkoutId, 30_000]);
    assert.ok(Date.parse(gate.expiresAt) > Date.parse(gate.acquiredAt));
  });

  it('draws higher tokens each time', async () => {
    const tokens = async () => {
      const outcome = await run(async () => undefined);
      return outcome.kind === 'done' ? Object.values(outcome.gate.fencingTokens) : [];
    };
    assert.deepEqual(
      [await tokens(), await tokens()],
      [
        [1, 1, 1],
        [2, 2, 2],
      ],
    );
  });

  it('leaves the bookkeeping of agents out of the status', async () => {
    const hashOf = async () => {
      const outcome = await run(async () => undefined);
      return outcome.kind === 'done' ? outcome.gate.baseStatusHash : 'not done';
    };
    const before = await hashOf();
    mkdirSync(path.join(home.root, '.ai/harness'), { recursive: true });
    writeFileSync(path.join(home.root, '.ai/harness/state.json'), '{}');
    assert.equal(await hashOf(), before);
    writeFileSync(path.join(home.root, '.ai/notes.md'), '');
    assert.notEqual(await hashOf(), before);
  });

  it('runs nothing when it is refused, and names the blocker', async () => {
    const file = home.writeLease({ owner: 'JOB-1842' });
    const outcome = await run(async () => assert.fail('it ran'));
    assert.ok(outcome.kind === 'refused');
    assert.deepEqual(
      outcome.blockers.map(blocker => blocker.kind === 'lease' && [blocker.file, blocker.lease.ownerJobId]),
      Array.from({ length: 3 }, () => [file, 'JOB-1842']),
    );
    assert.deepEqual(leaseFiles(), [file]);
    home.remove(file);
  });

  it('runs nothing when it was cancelled before', async () => {
    const outcome = await run(async () => assert.fail('it ran'), { signal: AbortSignal.abort() });
    assert.deepEqual(outcome, { kind: 'cancelled' });
  });

  it('hands the wish to stop to the operation, whose error is thrown after the release', async () => {
    const wish = new AbortController();
    const running = run(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          wish.abort();
        }),
      { signal: wish.signal },
    );
    await assert.rejects(running, { message: 'stopped' });
  });

  it('throws the error of the operation after the release', async () => {
    await assert.rejects(
      run(async () => {
        assert.equal(leaseFiles().length, 3);
        throw new Error('the hook failed');
      }),
      { message: 'the hook failed' },
    );
  });

  describe('when a lease is lost', () => {
    const started: ChildProcess[] = [];
    afterEach(() => {
      for (const child of started.splice(0)) child.kill('SIGKILL');
    });

    async function startChild(script: string): Promise<{ child: ChildProcess; ended: Promise<unknown>; pid: number }> {
      const child = spawn(process.execPath, ['-e', `${script};setInterval(()=>{},1e3);console.log('up')`], {
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      started.push(child);
      const ended = new Promise(resolve => child.once('exit', resolve));
      await new Promise(resolve => child.stdout?.once('data', resolve));
      assert.ok(child.pid);
      return { child, ended, pid: child.pid };
    }

    const loseOne = ({ assert: assertHeld }: GateHelpers) => {
      const [file = ''] = leaseFiles();
      unlinkSync(file);
      assert.throws(assertHeld, error => codeOf(error) === 'MUTATION_OWNERSHIP_LOST');
    };

    it('says so, whatever the operation returned', async () => {
      const outcome = await run(async () => {
        const [file = ''] = leaseFiles();
        unlinkSync(file);
        return 'fine';
      });
      assert.ok(outcome.kind === 'lost');
      assert.equal(codeOf(outcome.reason), 'LEASE_EXPIRED');
      assert.equal(outcome.stopConfirmed, false, 'nothing was tracked, so nothing is known');
    });

    it('says so when the operation failed because of it', async () => {
      const outcome = await run(async () => {
        for (const file of leaseFiles()) unlinkSync(file);
        throw new Error('git failed');
      });
      assert.equal(outcome.kind, 'lost');
    });

    it('says so rather than throw the error of the operation', async () => {
      const outcome = await run(async helpers => {
        loseOne(helpers);
        assert.equal(helpers.ownershipLost(), true);
        assert.equal(helpers.signal.aborted, true);
        throw new Error('stopped');
      });
      assert.equal(outcome.kind, 'lost');
    });

    for (const [what, script] of [
      ['a child process', ''],
      ['a child process that ignores SIGTERM', "process.on('SIGTERM',()=>{})"],
    ] as const) {
      it(`ends ${what}`, async () => {
        const outcome = await run(async helpers => {
          const { ended, pid } = await startChild(script);
          helpers.trackChildPid(pid);
          loseOne(helpers);
          await ended;
          return pid;
        });
        assert.ok(outcome.kind === 'lost');
        assert.equal(outcome.stopConfirmed, true);
      });
    }

    it('ends a child process that is named only afterwards', async () => {
      const outcome = await run(async helpers => {
        const { ended, pid } = await startChild('');
        loseOne(helpers);
        helpers.trackChildPid(pid);
        await ended;
      });
      assert.ok(outcome.kind === 'lost');
      assert.equal(outcome.stopConfirmed, true);
    });
  });

  describe('without a status', () => {
    const gateWith = async (program: string): Promise<MutationGate> => {
      const outcome = await run(async () => undefined, {}, program);
      assert.ok(outcome.kind === 'done');
      return outcome.gate;
    };
    const script = (text: string) => {
      const file = path.join(scratch, 'git.sh');
      writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      return file;
    };

    it('runs all the same and says that git failed', async () => {
      const gate = await gateWith(script('case "$*" in *status*) exit 3;; esac; exec git "$@"'));
      assert.equal(gate.baseHead, git(home.root, 'rev-parse', 'HEAD').trim());
      assert.equal(gate.baseStatusHash, null);
      assert.equal(gate.baseStatusMissing, 'git status ended with exit code 3');
    });

    it('runs all the same and says that git was killed', async () => {
      const gate = await gateWith(script('case "$*" in *status*) kill -9 $$;; esac; exec git "$@"'));
      assert.deepEqual([gate.baseStatusHash, gate.baseStatusMissing], [null, 'git could not be run (killed)']);
    });

    it('runs all the same and says that there is no git', async () => {
      const gate = await gateWith(path.join(scratch, 'no-such-git'));
      assert.deepEqual([gate.baseHead, gate.baseStatusHash], [null, null]);
      assert.match(gate.baseStatusMissing ?? '', /git could not be run .*ENOENT/);
    });

    it('has no head before the first commit', async () => {
      git(home.root, 'update-ref', '-d', 'HEAD');
      assert.equal((await gateWith('git')).baseHead, null);
    });

    it('takes the checkout from its directory, whatever GIT_DIR says', async () => {
      process.env.GIT_DIR = scratch;
      try {
        const gate = await gateWith('git');
        assert.equal(gate.baseStatusMissing, undefined);
        assert.notEqual(gate.baseHead, null);
      } finally {
        delete process.env.GIT_DIR;
      }
    });
  });

  for (const timeToLiveMs of [4_999, 120_001, 5_000.5, Number.NaN]) {
    it(`refuses a time to live of ${timeToLiveMs} ms`, async () => {
      await assert.rejects(
        run(async () => assert.fail('it ran'), { timeToLiveMs }),
        error => codeOf(error) === 'TIME_TO_LIVE_INVALID',
      );
    });
  }

  it('refuses an identity of another checkout', async () => {
    await assert.rejects(
      run(async () => assert.fail('it ran'), { ownerIdentity: { checkoutId: 'c2' } }),
      error => codeOf(error) === 'MUTATION_OWNER_CHECKOUT_MISMATCH',
    );
  });

  it('is done and says why the leases could not be given back', async () => {
    const fence = home.at('runtime/active-runtime-owner.json');
    const outcome = await run(async () => {
      mkdirSync(path.dirname(fence), { recursive: true });
      writeFileSync(fence, '{}');
      return 'written';
    });
    assert.ok(outcome.kind === 'done');
    assert.equal(outcome.value, 'written');
    assert.equal(codeOf(outcome.notReleased), 'WRITER_FENCED');
    for (const file of leaseFiles()) unlinkSync(file);
  });
});
