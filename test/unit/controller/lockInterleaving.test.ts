import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type HeldLock, RepositoryLock } from '../../../src/core/controller/repositoryLock';
import { repositoryPaths } from '../../../src/core/controller/repositoryPaths';
import { jsonText } from '../../../src/core/storage/atomicJson';
import type { FileSystem } from '../../../src/core/storage/fileSystem';
import { FakeClock } from '../../support/fakeClock';
import { interceptedFileSystem } from '../../support/interceptedFileSystem';

/** More calls than one taker makes. */
const CALLS = 60;

describe('two takers of one lock, the second at every single file operation of the first', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'lh-lock-'));
  const clock = new FakeClock();
  after(() => rmSync(scratch, { recursive: true, force: true }));

  let homes = 0;
  const newHome = () => {
    const home = path.join(scratch, String(homes++));
    mkdirSync(repositoryPaths(home, 'repo_a').locks, { recursive: true });
    return home;
  };
  const fileOf = (home: string) => repositoryPaths(home, 'repo_a').lockFile;
  const plantExpired = (home: string) => {
    const key = { scope: 'repository', repoId: 'repo_a', lockId: 'repository:repo_a:1:4711', owner: 'gone', pid: 4711 };
    const expiresAt = new Date(clock.wall() - 1).toISOString();
    const record = { ...key, acquiredAt: expiresAt, heartbeatAt: expiresAt, expiresAt, path: fileOf(home) };
    writeFileSync(fileOf(home), jsonText(record));
  };
  const holderIn = (home: string): string =>
    (JSON.parse(readFileSync(fileOf(home), 'utf8')) as { owner: string }).owner;

  /** Tries once; the attempt and its section run before this returns. */
  const take = (home: string, owner: string, fileSystem: FileSystem, section: () => void) => {
    const lock = new RepositoryLock(home, 'repo_a', { fileSystem, clock });
    const run = (held: HeldLock) => {
      section();
      held.assertHeld();
    };
    return lock.run(owner, run, { waitMs: 0 });
  };

  /** The lock file is never given back: its taker stays inside, or was killed there. */
  const neverReleasing = (home: string) => {
    let inside = false;
    const fileSystem = interceptedFileSystem(
      ({ operation, args }) => !(inside && operation === 'unlinkSync' && args[0] === fileOf(home)),
    );
    return { fileSystem, enter: () => (inside = true) };
  };

  for (const [state, prepare] of [
    ['no lock', () => undefined],
    ['an expired lock', plantExpired],
  ] as const) {
    it(`with ${state} before, never lets both in`, async () => {
      let bothWanted = 0;
      for (let at = 1; at <= CALLS; at++) {
        const home = newHome();
        prepare(home);
        const inside: string[] = [];
        const second = neverReleasing(home);
        let calls = 0;
        let secondRun: Promise<unknown> | undefined;
        const fileSystem = interceptedFileSystem(() => {
          calls += 1;
          if (calls === at) {
            secondRun = take(home, 'second', second.fileSystem, () => {
              second.enter();
              inside.push('second');
            }).catch((error: unknown) => error);
          }
          return true;
        });
        let enteredBeside = false;
        const firstRun = take(home, 'first', fileSystem, () => {
          enteredBeside = inside.includes('second');
          inside.push('first');
        }).catch((error: unknown) => error);
        const [first, other] = await Promise.all([firstRun, secondRun]);
        if (!secondRun) break;
        bothWanted += 1;
        assert.equal(enteredBeside, false, `call ${at}: first entered beside second`);
        if (inside.includes('second')) {
          assert.equal(holderIn(home), 'second', `call ${at}: the lock of the second was removed`);
          assert.equal(other, undefined, `call ${at}: ${String(other)}`);
        }
        if (inside.length === 2) assert.equal(inside[0], 'first', `call ${at}: ${String(first)}`);
        assert.ok(inside.length > 0 || existsSync(fileOf(home)) === (state !== 'no lock'), `call ${at}: nobody`);
        const left = readdirSync(path.dirname(fileOf(home))).filter(name => name !== path.basename(fileOf(home)));
        assert.deepEqual(left, [], `call ${at}`);
      }
      assert.ok(bothWanted > 5 && bothWanted < CALLS, `${bothWanted} interleavings`);
    });
  }

  it('calls a lock held that was given back before its holder could be read', async () => {
    const home = newHome();
    const fileSystem = interceptedFileSystem(({ operation }) => {
      if (operation === 'linkSync') plantExpired(home);
      else if (operation === 'openSync') rmSync(fileOf(home), { force: true });
      return true;
    });
    await assert.rejects(
      take(home, 'first', fileSystem, () => assert.fail('it was let in')),
      { code: 'LOCK_HELD' },
    );
  });
});
