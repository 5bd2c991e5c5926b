import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type Clock, systemClock } from '../../src/core/clock';
import { watchHome } from '../../src/core/picture/homeWatcher';
import type { LeasePicture } from '../../src/core/picture/leasePicture';
import { LivePicture } from '../../src/core/picture/livePicture';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import { TestHome } from '../support/controllerHome';
import { eventually } from '../support/eventually';
import { makeRepository } from '../support/gitRepository';

/** The real clock, on which the slow reconcile comes twenty times sooner. */
function hastyClock(): Clock {
  const clock = systemClock();
  return { ...clock, timer: (ms, callback) => clock.timer(ms >= 10_000 ? ms / 20 : ms, callback) };
}

/** Inotify watches that this process has. */
function inotifyWatches(): number {
  const { stdout } = spawnSync('sh', ['-c', `cat /proc/${process.pid}/fdinfo/* 2>/dev/null | grep -c ^inotify`], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

/** Only Linux says how many watches a process has; elsewhere these are not defined. */
function onLinux(title: string, test: () => Promise<void>): void {
  if (process.platform === 'linux') it(title, test);
}

describe('a picture kept true by a real watcher', () => {
  let directory: string;
  let home: TestHome;
  let live: LivePicture;
  beforeEach(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'lh-picture-'));
    home = new TestHome(path.join(directory, 'home'), makeRepository(path.join(directory, 'app')));
    live = new LivePicture({
      fileSystem: nodeFileSystem,
      clock: hastyClock(),
      realPath: realpathSync.native,
      watchHome,
      onError: assert.ifError,
      surroundings: () => ({
        setting: home.path,
        environment: { XDG_STATE_HOME: path.join(directory, 'state') },
        homeDirectory: directory,
        platform: process.platform,
      }),
    });
    live.setVisible(true);
    live.setFolders([home.root]);
    await live.refresh();
  });
  afterEach(() => {
    live.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Resolves with the first picture that fits. */
  function when(fits: (picture: LeasePicture) => boolean, ms = 8_000): Promise<LeasePicture> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(deadline);
        listener.dispose();
        settle();
      };
      const last = () => JSON.stringify(live.current, null, 1).slice(0, 2_000);
      const deadline = setTimeout(() => finish(() => reject(new Error(`not within ${ms} ms: ${last()}`))), ms);
      const look = () => fits(live.current) && finish(() => resolve(live.current));
      const listener = live.onDidChange(look);
      look();
    });
  }
  const held = (picture: LeasePicture) => picture.repositories.flatMap(({ leases }) => leases.map(({ file }) => file));

  it('sees leases come, change and go', async () => {
    const file = home.writeLease();
    await when(picture => held(picture).includes(file));
    const [before] = live.current.repositories[0]?.leases ?? [];
    home.renewLease(file, 300_000);
    await when(picture => picture.repositories[0]?.leases[0] !== before);
    home.remove(file);
    await when(picture => held(picture).length === 0);
  });

  it('sees a directory of leases that is removed and made again, and events in it afterwards', async () => {
    home.writeLease();
    await when(picture => held(picture).length === 1);
    rmSync(home.activeLeases, { recursive: true });
    await when(picture => held(picture).length === 0);
    mkdirSync(home.activeLeases);
    const first = home.writeLease();
    await when(picture => held(picture).includes(first));
    const second = home.writeLease({ resourceKey: 'temp:second' });
    await when(picture => held(picture).includes(second), 1_000);
  });

  it('sees a home that disappears, and another one in its place, and events in that', async () => {
    const file = home.writeLease();
    await when(picture => held(picture).includes(file));
    renameSync(home.path, `${home.path}-old`);
    await when(picture => picture.home.kind === 'absent');
    home = new TestHome(home.path, home.root);
    const first = home.writeLease();
    await when(picture => picture.home.kind === 'agents' && held(picture).includes(first));
    const second = home.writeLease({ resourceKey: 'temp:second' });
    await when(picture => held(picture).includes(second));
  });

  onLinux('sees a home that is removed and made again at once, and events in that', async () => {
    for (let round = 0; round < 3; round++) {
      rmSync(home.path, { recursive: true });
      home = new TestHome(home.path, home.root);
      const first = home.writeLease();
      await when(picture => held(picture).includes(first));
      await eventually('a watch', 5_000, async () => inotifyWatches() || undefined);
    }
    await live.refresh();
    await eventually('a watch', 5_000, async () => (inotifyWatches() >= 5 ? true : undefined));
    const second = home.writeLease({ resourceKey: 'temp:second' });
    await when(picture => held(picture).includes(second), 300);
  });

  it('keeps what was known while the registry cannot be read, and says so', async () => {
    const file = home.writeLease();
    await when(picture => held(picture).includes(file));
    writeFileSync(home.at('repositories.json'), '{');
    const picture = await when(({ problems }) => problems.length === 1);
    assert.deepEqual(held(picture), [file]);
    assert.match(picture.problems[0]?.reason ?? '', /registry of repositories cannot be read: it is not valid JSON/);
    home.register();
    await when(({ problems }) => problems.length === 0);
  });

  onLinux('takes at most ten watches for a repository, whatever lies beside its leases', async () => {
    for (const beside of ['worktrees', 'artifacts', 'runs', 'jobs', 'processes/logs']) {
      const place = home.at('repositories', home.repoId, beside, 'deep', 'deeper');
      mkdirSync(place, { recursive: true });
      for (let index = 0; index < 200; index++) writeFileSync(path.join(place, `${index}.txt`), '');
    }
    for (let index = 0; index < 200; index++) home.writeLease({ resourceKey: `temp:${index}` });
    await when(picture => held(picture).length === 200);
    // The watcher may still be starting; that it has begun is told by the system alone.
    const watches = await eventually('a watch', 5_000, async () => inotifyWatches() || undefined);
    assert.ok(watches <= 10, `${watches} watches`);
    live.dispose();
  });

  it('writes nothing and deletes nothing', async () => {
    const expired = home.writeLease({ timeToLiveMs: -1_000 });
    const bad = home.writeAmongLeases('LEASE-1-bad.json', 'x');
    await when(picture => picture.repositories[0]?.unreadable.length === 1);
    assert.ok(existsSync(expired) && existsSync(bad));
    assert.equal(existsSync(path.join(directory, 'state')), false);
  });

  it('polls and says so where no watch can be had, and stays right', () => {
    const child = path.resolve(__dirname, '../fixtures/pictureWithoutWatches.js');
    const script = `ulimit -n 64; exec "${process.execPath}" "${child}" "${home.path}" "${home.root}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 30_000 });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /polling: too many files are open/);
    assert.match(stdout, /held 1/);
  });
});
