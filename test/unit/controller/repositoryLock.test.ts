import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LOCK_TIME_TO_LIVE_MS, RepositoryLock, readRepositoryLock } from '../../../src/core/controller/repositoryLock';
import { repositoryPaths } from '../../../src/core/controller/repositoryPaths';
import { codeOf } from '../../../src/core/leaseError';
import { jsonText } from '../../../src/core/storage/atomicJson';
import { nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { FailingFileSystem, type FileOperation } from '../../support/failingFileSystem';
import { FakeClock } from '../../support/fakeClock';

describe('repository lock', () => {
  let home: string;
  let clock: FakeClock;
  let file: string;

  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'lh-lock-'));
    clock = new FakeClock(Date.parse('2026-03-01T12:00:00.000Z'));
    file = repositoryPaths(home, 'repo_a').lockFile;
    mkdirSync(path.dirname(file), { recursive: true });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const lock = (fileSystem = nodeFileSystem) => new RepositoryLock(home, 'repo_a', { fileSystem, clock });
  const files = () => readdirSync(path.dirname(file));
  const iso = (fromNow: number) => new Date(clock.wall() + fromNow).toISOString();
  const hasCode = (code: string) => (error: unknown) => codeOf(error) === code;

  /** Moves the clock until the promise is settled; what it came to is for the caller to look at. */
  async function settle<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    promise.then(end, end);
    for (await setImmediate(); !settled; await setImmediate()) clock.advance(5);
    return await promise;
  }

  const foreign = (members: Readonly<Record<string, unknown>> = {}) => ({
    scope: 'repository',
    repoId: 'repo_a',
    lockId: 'repository:repo_a:1:4711:abcd',
    owner: 'lease-acquire:JOB-1',
    pid: 4711,
    acquiredAt: iso(0),
    heartbeatAt: iso(0),
    expiresAt: iso(10_000),
    path: file,
    ...members,
  });
  const plant = (members?: Readonly<Record<string, unknown>>) => writeFileSync(file, jsonText(foreign(members)));

  it('is a file with these bytes while the section runs, and gone after it', async () => {
    const text = await lock().run('lease-acquire:fast:x', () => readFileSync(file, 'utf8'));
    const record = JSON.parse(text) as Record<string, unknown>;
    const wanted = foreign({ lockId: record.lockId, owner: 'lease-acquire:fast:x', pid: process.pid });
    assert.equal(text, `${JSON.stringify(wanted, null, 2)}\n`);
    assert.match(String(record.lockId), new RegExp(`^repository:repo_a:${clock.wall()}:${process.pid}:[0-9a-f]{8}$`));
    assert.deepEqual(files(), []);
  });

  it('has an id of its own each time', async () => {
    const ids = new Set<string>();
    for (let index = 0; index < 200; index++) await lock().run('x', () => ids.add(readFileSync(file, 'utf8')));
    assert.equal(ids.size, 200);
  });

  it('makes the directories that it needs', async () => {
    rmSync(path.join(home, 'repositories'), { recursive: true });
    assert.equal(await lock().run('x', () => 'in'), 'in');
  });

  it('lets one section in at a time', async () => {
    const trace: string[] = [];
    const section = (name: string) => () => {
      trace.push(name, ...files());
    };
    await Promise.all(['a', 'b', 'c'].map(name => settle(lock().run(name, section(name)))));
    assert.deepEqual(new Set(trace), new Set(['a', 'b', 'c', 'repository.lock.json']));
    assert.equal(trace.length, 6);
  });

  it('is given back when the section throws', async () => {
    await assert.rejects(
      lock().run('x', () => {
        throw new Error('from inside');
      }),
      { message: 'from inside' },
    );
    assert.deepEqual(files(), []);
  });

  it('names its holder when it is held (LOCK_HELD) and stays as it is', async () => {
    plant();
    const before = readFileSync(file, 'utf8');
    const error = await settle(lock().run('x', () => assert.fail('it ran'), { waitMs: 100 })).catch(
      (reason: unknown) => reason,
    );
    assert.ok(hasCode('LOCK_HELD')(error));
    assert.match(String(error), /by lease-acquire:JOB-1 \(process 4711\) since 2026/);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.deepEqual(files(), ['repository.lock.json']);
  });

  it('waits as long as it is told to, and not at all for 0', async () => {
    plant({ expiresAt: iso(60_000) });
    for (const waitMs of [0, 100, 3_000]) {
      const start = clock.monotonic();
      await assert.rejects(settle(lock().run('x', () => assert.fail('it ran'), { waitMs })), hasCode('LOCK_HELD'));
      const waited = clock.monotonic() - start;
      assert.ok(waited >= waitMs && waited <= waitMs + 60, `${waited} ms instead of ${waitMs}`);
    }
  });

  it('is taken as soon as its holder gives it back', async () => {
    plant();
    clock.timer(500, () => rmSync(file));
    const start = clock.monotonic();
    await settle(lock().run('x', () => undefined));
    assert.ok(clock.monotonic() - start < 550);
  });

  it('is reaped when its time is over', async () => {
    plant({ expiresAt: iso(0) });
    assert.equal(await settle(lock().run('x', () => 'in', { waitMs: 0 })), 'in');
    assert.deepEqual(files(), []);
  });

  it('is not reaped because its process is not found', async () => {
    plant({ pid: 2 ** 30 });
    await assert.rejects(settle(lock().run('x', () => assert.fail('it ran'), { waitMs: 100 })), hasCode('LOCK_HELD'));
  });

  it('is not reaped when it has no expiry', async () => {
    plant({ expiresAt: undefined, acquiredAt: iso(-86_400_000) });
    await assert.rejects(settle(lock().run('x', () => assert.fail('it ran'), { waitMs: 100 })), hasCode('LOCK_HELD'));
  });

  it('is not reaped while another one reaps it', async () => {
    plant({ expiresAt: iso(-1) });
    const guard = `${file}.reap-repository-repo_a-1-4711-abcd.guard`;
    writeFileSync(guard, '');
    await assert.rejects(settle(lock().run('x', () => assert.fail('it ran'), { waitMs: 100 })), hasCode('LOCK_HELD'));
    assert.deepEqual(files(), ['repository.lock.json', path.basename(guard)]);
  });

  const UNREADABLE: Readonly<Record<string, () => void>> = {
    'is empty': () => writeFileSync(file, ''),
    'is no JSON': () => writeFileSync(file, '{"scope":'),
    'names no holder': () => plant({ owner: undefined }),
    'has an empty id': () => plant({ lockId: '' }),
    'is a directory': () => mkdirSync(file),
    'is a symbolic link': () => symlinkSync(path.join(home, 'elsewhere'), file),
  };
  for (const [what, make] of Object.entries(UNREADABLE)) {
    it(`stays in place when it ${what} (LOCK_UNREADABLE)`, async () => {
      make();
      await assert.rejects(
        settle(lock().run('x', () => assert.fail('it ran'), { waitMs: 100 })),
        hasCode('LOCK_UNREADABLE'),
      );
      assert.deepEqual(files(), ['repository.lock.json']);
      assert.equal(readRepositoryLock(nodeFileSystem, file).kind, 'unreadable');
    });
  }

  describe('the assertion before each effect', () => {
    const inside = (change: () => void) =>
      lock().run('x', held => {
        held.assertHeld();
        change();
        held.assertHeld();
      });

    it('holds while the lock is ours', async () => {
      await inside(() => clock.advance(8_000));
    });

    it('throws when the section took too long (LOCK_OUTLIVED)', async () => {
      await assert.rejects(
        inside(() => clock.advance(8_001)),
        hasCode('LOCK_OUTLIVED'),
      );
      assert.ok(8_001 < LOCK_TIME_TO_LIVE_MS);
    });

    const GONE: Readonly<Record<string, () => void>> = {
      'is gone': () => rmSync(file),
      'is another’s': () => plant(),
      'cannot be read': () => writeFileSync(file, ''),
    };
    for (const [what, change] of Object.entries(GONE)) {
      it(`throws when the lock ${what} (LOCK_OWNERSHIP_MISMATCH)`, async () => {
        await assert.rejects(inside(change), hasCode('LOCK_OWNERSHIP_MISMATCH'));
      });
    }

    it('gives back late as a reaper would: under the guard, and only when it still is its own', async () => {
      const late = inside(() => clock.advance(8_001));
      await assert.rejects(late, hasCode('LOCK_OUTLIVED'));
      assert.deepEqual(files(), []);
      const guarded = nodeFileSystem.unlinkSync;
      let underGuard: boolean | undefined;
      const watching = {
        ...nodeFileSystem,
        unlinkSync: (name: Parameters<typeof guarded>[0]) => {
          if (name === file) underGuard = files().some(other => other.endsWith('.guard'));
          guarded(name);
        },
      };
      await lock(watching).run('x', () => clock.advance(8_001));
      assert.equal(underGuard, true);
    });

    it('leaves the lock of another in place', async () => {
      await assert.rejects(inside(() => plant()));
      assert.equal(readFileSync(file, 'utf8'), jsonText(foreign()));
    });
  });

  describe('when the disk fails', () => {
    const CREATING = [
      ['writeFileSync', 'ENOSPC'],
      ['writeFileSync', 'EIO'],
      ['linkSync', 'ENOSPC'],
      ['linkSync', 'EMFILE'],
      ['linkSync', 'EACCES'],
    ] as const satisfies readonly (readonly [FileOperation, string])[];
    for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
      it(`creates the lock itself where the file system has no hard links (${code})`, async () => {
        const failing = new FailingFileSystem({ operation: 'linkSync', call: 1, code });
        await lock(failing.fileSystem).run('x', held => {
          held.assertHeld();
          assert.equal(JSON.parse(readFileSync(file, 'utf8')).owner, 'x');
        });
        assert.equal(failing.failed, true);
        assert.deepEqual(files(), []);
      });
    }

    it('leaves no empty lock where there are no hard links and the disk is full', async () => {
      const failing = new FailingFileSystem({ operation: 'writeFileSync', call: 2, code: 'ENOSPC' });
      const withoutLinks = {
        ...failing.fileSystem,
        linkSync: () => {
          throw Object.assign(new Error('no links'), { code: 'EPERM' });
        },
      };
      await assert.rejects(
        lock(withoutLinks).run('x', () => assert.fail('it ran')),
        hasCode('STORAGE_FAILED'),
      );
      assert.equal(failing.failed, true);
      assert.deepEqual(files(), []);
    });

    for (const [operation, code] of CREATING) {
      it(`leaves no lock and no part of one (${operation}, ${code})`, async () => {
        const failing = new FailingFileSystem({ operation, call: 1, code });
        await assert.rejects(
          lock(failing.fileSystem).run('x', () => assert.fail('it ran')),
          hasCode('STORAGE_FAILED'),
        );
        assert.equal(failing.failed, true);
        assert.deepEqual(files(), []);
      });
    }

    it('does not take a lock that it cannot look at', async () => {
      plant({ expiresAt: iso(-1) });
      const failing = new FailingFileSystem({ operation: 'openSync', call: 1, forGood: true, code: 'EACCES' });
      await assert.rejects(
        settle(lock(failing.fileSystem).run('x', () => assert.fail('it ran'), { waitMs: 50 })),
        hasCode('LOCK_UNREADABLE'),
      );
      assert.deepEqual(files(), ['repository.lock.json']);
    });

    it('says so when an expired lock cannot be removed', async () => {
      plant({ expiresAt: iso(-1) });
      const failing = new FailingFileSystem({ operation: 'unlinkSync', call: 1, code: 'EIO' });
      await assert.rejects(
        lock(failing.fileSystem).run('x', () => assert.fail('it ran')),
        hasCode('STORAGE_FAILED'),
      );
    });

    it('goes on when its own lock cannot be removed; its time ends it', async () => {
      const failing = new FailingFileSystem({ operation: 'unlinkSync', call: 2, code: 'EIO' });
      assert.equal(await lock(failing.fileSystem).run('x', () => 'in'), 'in');
      assert.deepEqual(files(), ['repository.lock.json']);
      clock.advance(LOCK_TIME_TO_LIVE_MS);
      assert.equal(await lock().run('y', () => 'in', { waitMs: 0 }), 'in');
      assert.deepEqual(files(), []);
    });
  });

  for (const repoId of ['..', '.', '', 'a/b', '../x', 'a b']) {
    it(`refuses the repository id ${JSON.stringify(repoId)}, which would leave its place`, () => {
      assert.throws(
        () => new RepositoryLock(home, repoId, { fileSystem: nodeFileSystem, clock }),
        hasCode('REPOSITORY_ID_INVALID'),
      );
    });
  }
});
