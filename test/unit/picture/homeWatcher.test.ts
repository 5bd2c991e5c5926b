import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type HomeChange, watchHome } from '../../../src/core/picture/homeWatcher';
import { TestHome } from '../../support/controllerHome';

/** Inotify watches of this process, counted in what Linux says of its open files. */
function inotifyWatches(): number {
  const lines = readdirSync('/proc/self/fdinfo').flatMap(descriptor => {
    try {
      return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').split('\n');
    } catch {
      return []; // The descriptor by which the directory was listed is closed again.
    }
  });
  return lines.filter(line => line.startsWith('inotify ')).length;
}

describe('home watcher', () => {
  let scratch: string;
  let home: TestHome;
  let seen: HomeChange[];
  let failures: string[];
  let waiting: (() => void)[];
  let watcher: { dispose(): void } | undefined;

  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lh-watch-')));
    home = new TestHome(path.join(scratch, 'home'), path.join(scratch, 'app'));
    [seen, failures, waiting] = [[], [], []];
  });
  afterEach(() => {
    watcher?.dispose();
    watcher = undefined;
    rmSync(scratch, { recursive: true, force: true });
    assert.deepEqual(failures, []);
  });

  const start = (repoIds: readonly string[] = [home.repoId]) =>
    new Promise<void>(resolve => {
      watcher = watchHome({
        home: home.path,
        repoIds,
        onChange: change => {
          seen.push(change);
          for (const look of [...waiting]) look();
        },
        onReady: resolve,
        onFailure: reason => failures.push(reason),
      });
    });

  /** Resolves once such a change was told; the test times out when it is not. */
  const told = (fits: (change: HomeChange) => boolean) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (seen.some(fits)) resolve();
      };
      waiting.push(look);
      look();
    });
  const leaseTold = (file: string) =>
    told(change => change.kind === 'lease' && change.repoId === home.repoId && change.name === path.basename(file));
  const kindTold = (kind: HomeChange['kind']) => told(change => change.kind === kind);
  const forget = () => {
    seen.length = 0;
  };

  /** Makes `count` files in a directory of the repository that holds no leases. */
  function fill(directory: string, count: number): void {
    for (let index = 0; index < count; index++) {
      const place = home.at('repositories', home.repoId, directory, `${index % 40}`);
      mkdirSync(place, { recursive: true });
      writeFileSync(path.join(place, `${index}.json`), '{}');
    }
  }

  // Only Linux says how many watches a process has.
  if (process.platform === 'linux') {
    it('watches at most four directories for each repository, and two more', async () => {
      fill('worktrees', 1_000);
      fill('artifacts', 1_000);
      for (const other of ['repo_a', 'repo_b', 'repo_c']) {
        for (const area of ['leases/active', 'leases/counters', 'locks/tasks', 'worktrees/x/y']) {
          mkdirSync(home.at('repositories', other, area), { recursive: true });
        }
      }
      const before = inotifyWatches();
      await start([home.repoId, 'repo_a', 'repo_b']);
      const watches = inotifyWatches() - before;
      assert.ok(watches > 0 && watches <= 3 * 4 + 2, `${watches} watches`);
    });

    it('gives its watches back', async () => {
      const before = inotifyWatches();
      await start();
      watcher?.dispose();
      assert.equal(inotifyWatches(), before);
    });
  }

  it('tells of a lease that is written, renewed and removed', async () => {
    await start();
    const file = home.writeLease();
    await leaseTold(file);
    forget();
    home.renewLease(file, 90_000);
    await leaseTold(file);
    forget();
    home.remove(file);
    await leaseTold(file);
  });

  it('tells by events, though a variable of the environment asks chokidar to poll', async () => {
    process.env.CHOKIDAR_USEPOLLING = '1';
    try {
      await start();
    } finally {
      delete process.env.CHOKIDAR_USEPOLLING;
    }
    await leaseTold(home.writeLease());
  });

  it('tells of a lease that is renamed away and back', async () => {
    const file = home.writeLease();
    await start();
    renameSync(file, path.join(scratch, 'away.json'));
    await leaseTold(file);
    forget();
    renameSync(path.join(scratch, 'away.json'), file);
    await leaseTold(file);
  });

  it('tells of a lease that is written in place', async () => {
    const file = home.writeLease();
    await start();
    writeFileSync(file, '{');
    await leaseTold(file);
  });

  it('tells of each of many leases', async () => {
    await start();
    const files = Array.from({ length: 100 }, () => home.writeLease());
    await Promise.all(files.map(leaseTold));
  });

  it('tells of the repository lock', async () => {
    await start();
    writeFileSync(home.lockFile, '{}');
    await kindTold('lock');
    forget();
    home.remove(home.lockFile);
    await kindTold('lock');
  });

  it('tells of the registry', async () => {
    await start();
    home.register();
    await kindTold('everything');
  });

  it('tells nothing of other files', async () => {
    await start();
    fill('artifacts', 100);
    writeFileSync(home.at('notes.json'), '{}');
    mkdirSync(home.at('repositories/repo_other/leases/active'), { recursive: true });
    writeFileSync(home.at('repositories/repo_other/leases/active/x.json'), '{}');
    writeFileSync(path.join(home.activeLeases, 'x.json.1.tmp'), '');
    const file = home.writeLease();
    await leaseTold(file);
    assert.deepEqual(
      seen.filter(change => change.kind !== 'lease' || change.name !== path.basename(file)),
      [],
    );
  });

  it('sees a directory of leases that is removed and made again', async () => {
    await start();
    rmSync(home.activeLeases, { recursive: true });
    await kindTold('repository');
    forget();
    mkdirSync(home.activeLeases);
    await kindTold('repository');
  });

  it('sees a repository whose directories are made only later', async () => {
    rmSync(home.at('repositories'), { recursive: true });
    await start();
    mkdirSync(home.activeLeases, { recursive: true });
    await told(change => change.kind === 'everything' || change.kind === 'repository');
  });

  it('sees that the home itself is moved away', async () => {
    await start();
    renameSync(home.path, `${home.path}-old`);
    await kindTold('everything');
  });

  it('tells nothing any more when it is disposed', async () => {
    await start();
    watcher?.dispose();
    home.writeLease();
    home.register();
    await new Promise<void>(resolve => {
      const other = watchHome({
        home: home.path,
        repoIds: [home.repoId],
        onChange: () => undefined,
        onReady: () => {
          other.dispose();
          resolve();
        },
        onFailure: reason => failures.push(reason),
      });
    });
    assert.deepEqual(seen, []);
  });
});
