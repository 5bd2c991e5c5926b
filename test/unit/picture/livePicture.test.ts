import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { HomeChange, HomeWatchRequest } from '../../../src/core/picture/homeWatcher';
import type { LeasePicture } from '../../../src/core/picture/leasePicture';
import { LivePicture } from '../../../src/core/picture/livePicture';
import { nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { TestHome } from '../../support/controllerHome';
import { FakeClock } from '../../support/fakeClock';
import { makeRepository } from '../../support/gitRepository';

/** A watcher that tells what the test says and nothing else. */
class FakeWatch {
  readonly started: HomeWatchRequest[] = [];
  disposed = 0;

  readonly watchHome = (request: HomeWatchRequest) => {
    this.started.push(request);
    return {
      dispose: () => {
        this.disposed += 1;
      },
    };
  };

  get last(): HomeWatchRequest {
    const request = this.started.at(-1);
    assert.ok(request, 'no watch was started');
    return request;
  }
}

describe('live picture', () => {
  let scratch: string;
  let home: TestHome;
  let clock: FakeClock;
  let watch: FakeWatch;
  let live: LivePicture;
  let told: LeasePicture[];
  let failures: unknown[];

  before(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lh-live-')));
    makeRepository(path.join(scratch, 'app'));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  const open = () =>
    new LivePicture({
      fileSystem: nodeFileSystem,
      clock,
      realPath: realpathSync.native,
      watchHome: watch.watchHome,
      onError: error => failures.push(error),
      surroundings: () => ({
        setting: path.join(scratch, 'home'),
        environment: { XDG_STATE_HOME: path.join(scratch, 'state') },
        homeDirectory: scratch,
        platform: process.platform,
      }),
    });
  const makeHome = () => new TestHome(path.join(scratch, 'home'), path.join(scratch, 'app'));

  beforeEach(() => {
    for (const name of ['home', 'state']) rmSync(path.join(scratch, name), { recursive: true, force: true });
    home = makeHome();
    clock = new FakeClock(Date.now());
    watch = new FakeWatch();
    told = [];
    failures = [];
    live = open();
    live.onDidChange(picture => told.push(picture));
  });
  afterEach(() => live.dispose());

  it('leaves nothing when it is disposed in the middle of a reading', async () => {
    await start();
    const reading = live.refresh();
    live.dispose();
    watch.last.onChange({ kind: 'everything' });
    await reading;
    await setImmediate();
    assert.deepEqual([clock.pendingTimers, watch.disposed], [0, watch.started.length]);
  });

  it('tells the others, and goes on, when a listener throws', async () => {
    const thrown = new Error('a view could not be made');
    live.onDidChange(() => {
      throw thrown;
    });
    const after: LeasePicture[] = [];
    live.onDidChange(picture => after.push(picture));
    await start();
    assert.ok(after.length > 0);
    assert.ok(failures.length > 0 && failures.every(error => error === thrown));
  });

  /** Opens the repository and lets everything settle. */
  async function start(visible = true): Promise<void> {
    live.setVisible(visible);
    live.setFolders([path.join(scratch, 'app')]);
    await pass(100);
    if (watch.started.length > 0) watch.last.onReady();
    await pass(400);
    told.length = 0;
  }

  const pass = (ms: number) => clock.advanceSlowly(ms, 5);
  const event = (change: HomeChange) => watch.last.onChange(change);
  const leaseEvent = (file: string): HomeChange => ({
    kind: 'lease',
    repoId: home.repoId,
    name: path.basename(file),
  });
  const owners = (picture = live.current) =>
    picture.repositories.flatMap(({ leases }) => leases.map(({ record }) => record.ownerJobId)).sort();
  const problemFiles = () => live.current.problems.map(({ file }) => path.basename(file));

  const stuckLock = () => live.current.repositories[0]?.stuckLock;

  /** What somebody sees who opens the window only now. */
  async function fresh(): Promise<unknown> {
    const other = open();
    other.setFolders([path.join(scratch, 'app')]);
    await other.refresh();
    const picture = other.current;
    other.dispose();
    return comparable(picture);
  }
  function comparable({ home: place, repositories, problems }: LeasePicture): unknown {
    const parts = repositories.map(repository => ({
      ...repository,
      leases: repository.leases.map(({ file, text }) => ({ file, text })),
    }));
    return JSON.parse(JSON.stringify({ place, parts, problems })) as unknown;
  }

  it('shows what is held when it starts', async () => {
    home.writeLease();
    await start();
    assert.deepEqual(owners(), ['JOB-1842']);
    const [repository] = live.current.repositories;
    assert.deepEqual([repository?.registered, repository?.checkouts.length], [true, 1]);
    assert.deepEqual(live.current.home, { kind: 'agents', path: home.path });
  });

  it('watches the home and the open repositories, once', async () => {
    await start();
    await pass(30_000);
    assert.equal(watch.started.length, 1);
    assert.deepEqual([watch.last.home, watch.last.repoIds], [home.path, [home.repoId]]);
  });

  it('follows events: a lease appears, is renewed, and is gone', async () => {
    await start();
    const file = home.writeLease();
    event(leaseEvent(file));
    await pass(60);
    assert.deepEqual(owners(), ['JOB-1842']);
    const before = live.current.repositories[0]?.leases[0];
    home.renewLease(file, 120_000);
    event(leaseEvent(file));
    await pass(60);
    assert.notEqual(live.current.repositories[0]?.leases[0], before);
    home.remove(file);
    event(leaseEvent(file));
    await pass(60);
    assert.deepEqual(owners(), []);
    assert.equal(told.length, 3);
  });

  it('makes one picture of many events, and at most one in 50 ms', async () => {
    await start();
    const moments: number[] = [];
    live.onDidChange(() => moments.push(clock.monotonic()));
    for (let index = 0; index < 100; index++) {
      event(leaseEvent(home.writeLease({ owner: `JOB-${index}` })));
      await pass(5);
    }
    await pass(100);
    assert.equal(owners().length, 100);
    assert.ok(moments.length >= 5 && moments.length <= 11, `${moments.length} pictures`);
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    assert.ok(Math.min(...gaps) >= 50, `${gaps}`);
  });

  it('shows a first event within 15 ms', async () => {
    await start();
    event(leaseEvent(home.writeLease()));
    await pass(15);
    assert.deepEqual(owners(), ['JOB-1842']);
  });

  it('tells nobody when nothing changed', async () => {
    const file = home.writeLease();
    await start();
    for (const change of [leaseEvent(file), { kind: 'everything' }, { kind: 'lock', repoId: home.repoId }] as const) {
      event(change);
      await pass(400);
    }
    await pass(30_000);
    assert.deepEqual(told, []);
  });

  it('keeps the repositories in which nothing changed as they are', async () => {
    home.writeLease();
    await start();
    const [before] = live.current.repositories;
    home.writeAmongLeases('x.tmp', '');
    event({ kind: 'everything' });
    await pass(400);
    assert.equal(live.current.repositories[0], before);
  });

  it('drops a lease when its time is over, without any event', async () => {
    const expiresAt = new Date(clock.wall() + 5_000).toISOString();
    home.writeLease({ members: { expiresAt } });
    await start();
    await pass(4_400);
    assert.deepEqual(owners(), ['JOB-1842']);
    await pass(110);
    assert.deepEqual([owners(), told.length], [[], 1]);
  });

  it('does not drop a lease because the wall clock jumped ahead', async () => {
    home.writeLease({ timeToLiveMs: 60_000 });
    await start();
    clock.stepWall(3_600_000);
    event({ kind: 'everything' });
    await pass(400);
    assert.deepEqual(owners(), ['JOB-1842']);
  });

  for (const [visible, everyMs] of [
    [true, 10_000],
    [false, 60_000],
  ] as const) {
    it(`finds what no event told of after ${everyMs / 1000} s when ${visible ? 'visible' : 'hidden'}`, async () => {
      await start(visible);
      await pass(everyMs);
      home.writeLease({ timeToLiveMs: 600_000 });
      await pass(everyMs - 600);
      assert.deepEqual(owners(), []);
      await pass(700);
      assert.deepEqual(owners(), ['JOB-1842']);
    });
  }

  it('reconciles sooner from the moment it is looked at', async () => {
    await start(false);
    home.writeLease({ timeToLiveMs: 600_000 });
    live.setVisible(true);
    await pass(10_100);
    assert.deepEqual(owners(), ['JOB-1842']);
  });

  it('reads at once when it is asked to', async () => {
    await start();
    home.writeLease();
    await live.refresh();
    assert.deepEqual(owners(), ['JOB-1842']);
  });

  it('polls and says so when the watcher fails, and is still right', async () => {
    await start();
    watch.last.onFailure('the system has no file watches left');
    assert.deepEqual(live.current.watching, {
      kind: 'polling',
      everyMs: 2_000,
      reason: 'the system has no file watches left',
    });
    home.writeLease();
    await pass(2_100);
    assert.deepEqual(owners(), ['JOB-1842']);
  });

  it('says that events come again once a later watcher is ready', async () => {
    await start();
    watch.last.onFailure('too many files are open');
    await pass(70_000);
    assert.equal(watch.started.length, 2);
    watch.last.onReady();
    await pass(100);
    assert.deepEqual(live.current.watching, { kind: 'events' });
  });

  it('says that there is no home, and finds it when it appears', async () => {
    rmSync(home.path, { recursive: true });
    await start();
    assert.deepEqual(live.current.home, { kind: 'absent', path: home.path });
    assert.equal(watch.started.length, 0);
    home = makeHome();
    home.writeLease();
    await pass(10_100);
    assert.deepEqual(live.current.home, { kind: 'agents', path: home.path });
    assert.deepEqual(owners(), ['JOB-1842']);
    assert.equal(watch.started.length, 1);
  });

  it('uses our own home where there is none of agents', async () => {
    rmSync(home.path, { recursive: true });
    const own = path.join(scratch, 'state/leasehold/controller');
    mkdirSync(own, { recursive: true });
    await start();
    assert.deepEqual(live.current.home, { kind: 'own', path: own });
    assert.equal(live.current.repositories[0]?.registered, false);
  });

  it('shows nothing of a home that was removed', async () => {
    home.writeLease();
    await start();
    rmSync(home.path, { recursive: true });
    event({ kind: 'everything' });
    await pass(400);
    assert.equal(live.current.home.kind, 'absent');
    assert.deepEqual(owners(), []);
  });

  it('reads and watches a home that took the place of another', async () => {
    home.writeLease({ owner: 'JOB-1' });
    await start();
    renameSync(home.path, `${home.path}-old`);
    home = makeHome();
    home.writeLease({ owner: 'JOB-2' });
    await pass(10_100);
    rmSync(`${home.path}-old`, { recursive: true });
    assert.deepEqual(owners(), ['JOB-2']);
    assert.deepEqual([watch.started.length, watch.disposed], [2, 1]);
  });

  it('watches again when a directory of leases took the place of another', async () => {
    home.writeLease({ owner: 'JOB-1' });
    await start();
    renameSync(home.activeLeases, `${home.activeLeases}-old`);
    mkdirSync(home.activeLeases);
    event({ kind: 'repository', repoId: home.repoId });
    await pass(400);
    assert.deepEqual(owners(), []);
    assert.deepEqual([watch.started.length, watch.disposed], [2, 1]);
  });

  it('keeps what is held and names the problem when the registry cannot be read', async () => {
    home.writeLease();
    await start();
    writeFileSync(home.at('repositories.json'), '{');
    event({ kind: 'everything' });
    await pass(400);
    assert.deepEqual([owners(), problemFiles()], [['JOB-1842'], ['repositories.json']]);
    home.register();
    event({ kind: 'everything' });
    await pass(400);
    assert.deepEqual([owners(), problemFiles()], [['JOB-1842'], []]);
  });

  it('names the problem when the leases cannot be listed, and keeps what it knew', async () => {
    home.writeLease();
    await start();
    renameSync(home.activeLeases, `${home.activeLeases}-old`);
    writeFileSync(home.activeLeases, '');
    event({ kind: 'repository', repoId: home.repoId });
    await pass(400);
    assert.deepEqual([owners(), problemFiles()], [['JOB-1842'], ['active']]);
  });

  it('shows files that cannot be read', async () => {
    await start();
    event(leaseEvent(home.writeAmongLeases('broken.json', '{')));
    await pass(60);
    assert.equal(live.current.repositories[0]?.unreadable.length, 1);
  });

  it('shows a lock that stays for longer than 2 s, and no other', async () => {
    await start();
    writeFileSync(home.lockFile, '');
    event({ kind: 'lock', repoId: home.repoId });
    await pass(1_900);
    assert.equal(stuckLock(), undefined);
    await pass(200);
    assert.equal(stuckLock()?.kind, 'unreadable');
    home.remove(home.lockFile);
    event({ kind: 'lock', repoId: home.repoId });
    await pass(60);
    assert.equal(stuckLock(), undefined);
  });

  describe('whatever the order of events, says what a fresh reading says', () => {
    const STORMS: Readonly<Record<string, (file: string) => readonly HomeChange[]>> = {
      'each twice': file => [leaseEvent(file), leaseEvent(file)],
      'without a name': () => [{ kind: 'repository', repoId: home.repoId }],
      'about everything': () => [{ kind: 'everything' }],
      'about a file that is not there': () => [leaseEvent('gone.json'), { kind: 'everything' }],
      'about another repository': file => [{ kind: 'repository', repoId: 'repo_other' }, leaseEvent(file)],
    };
    for (const [what, storm] of Object.entries(STORMS)) {
      it(what, async () => {
        const old = home.writeLease({ owner: 'JOB-1' });
        const renewed = home.writeLease({ owner: 'JOB-2' });
        await start();
        home.remove(old);
        home.renewLease(renewed, 90_000);
        const made = home.writeLease({ owner: 'JOB-3' });
        for (const file of [made, old, renewed]) for (const change of storm(file)) event(change);
        await pass(400);
        assert.deepEqual(owners(), ['JOB-2', 'JOB-3']);
        assert.deepEqual(comparable(live.current), await fresh());
      });
    }

    it('late', async () => {
      await start();
      const file = home.writeLease();
      await live.refresh();
      home.remove(file);
      const next = home.writeLease({ owner: 'JOB-2' });
      await live.refresh();
      for (const late of [file, file, next]) event(leaseEvent(late));
      await pass(100);
      assert.deepEqual(owners(), ['JOB-2']);
      assert.deepEqual(comparable(live.current), await fresh());
    });

    it('in the middle of a reading', async () => {
      await start();
      const reading = live.refresh();
      const file = home.writeLease();
      event(leaseEvent(file));
      await reading;
      await pass(100);
      assert.deepEqual(comparable(live.current), await fresh());
      assert.deepEqual(owners(), ['JOB-1842']);
    });
  });

  it('leaves no timer, no watch and no listener when it is disposed', async () => {
    home.writeLease();
    await start();
    event({ kind: 'everything' });
    live.dispose();
    assert.equal(clock.pendingTimers, 0);
    assert.equal(watch.disposed, 1);
    home.writeLease();
    event(leaseEvent(home.writeLease()));
    watch.last.onReady();
    watch.last.onFailure('late');
    await pass(400);
    assert.deepEqual([clock.pendingTimers, told.length], [0, 0]);
  });
});
