import type { Clock, Timer } from '../clock';
import { type HomeSurroundings, ownControllerHome, resolveControllerHome } from '../controller/controllerHome';
import { repositoryPaths } from '../controller/repositoryPaths';
import { Listeners } from '../listeners';
import type { FileSystem } from '../storage/fileSystem';
import type { HomeChange, WatchHome } from './homeWatcher';
import type { HomePicture, LeasePicture, Problem, Watching } from './leasePicture';
import { findOpenRepositories, type OpenRepositories } from './openRepositories';
import { PendingChanges } from './pendingChanges';
import { RepositoryReader } from './repositoryReader';

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly realPath: (file: string) => string;
  readonly watchHome: WatchHome;
  /** Asked again at every full reading: settings may change. */
  readonly surroundings: () => HomeSurroundings;
}

/** Events of one write come together: they are gathered for this long, and pictures are made no faster than this. */
const GATHER_MS = 10;
const LEAST_GAP_MS = 50;
/** chokidar starts to watch a new directory a moment after it has told of it; what came in between is read then. */
const NEW_DIRECTORY_MS = 250;
/** A full reading covers lost events and directories that were replaced. */
const RECONCILE_MS = { visible: 10_000, hidden: 60_000 } as const;
/** The same where no events come. */
const POLL_MS = { visible: 2_000, hidden: 10_000 } as const;
/** A watcher that failed is tried again no sooner. */
const WATCH_AGAIN_MS = 60_000;

/**
 * Keeps a picture of what is held true to the disk: events say what to read again, timers say when a lease is over,
 * a slow reconcile covers the rest. It never writes below a controller home and never throws out of an event.
 */
export class LivePicture {
  private readonly listeners = new Listeners<LeasePicture>();
  private readonly pending = new PendingChanges();
  private readonly readers = new Map<string, RepositoryReader>();
  private folders: readonly string[] = [];
  private visible = false;
  private disposed = false;
  private open: OpenRepositories = { identities: [], subjects: new Map(), registered: [] };
  private homeFound: HomePicture;
  private watch: { dispose(): void } | undefined;
  private watched = '';
  private watchedAt = Number.NEGATIVE_INFINITY;
  private failure: string | undefined;
  private readingProblem: Problem | undefined;
  private reading: Promise<void> | undefined;
  private lastMade = Number.NEGATIVE_INFINITY;
  private timers: Partial<Record<'gather' | 'change' | 'reconcile' | 'newDirectory', Timer>> = {};
  private picture: LeasePicture;

  constructor(private readonly dependencies: Dependencies) {
    this.homeFound = { kind: 'absent', path: resolveControllerHome(dependencies.surroundings()).path };
    this.picture = Object.freeze({
      home: this.homeFound,
      watching: { kind: 'events' as const },
      repositories: [],
      problems: [],
    });
  }

  get current(): LeasePicture {
    return this.picture;
  }

  /** The checkouts of the open folders, as the home knows them. */
  get identities(): OpenRepositories['identities'] {
    return this.open.identities;
  }

  /** Set while it cannot be told for certain that an unregistered repository is one. */
  get registryProblem(): Problem | undefined {
    return this.open.registryProblem;
  }

  onDidChange(listener: (picture: LeasePicture) => void): { dispose(): void } {
    return this.listeners.add(listener);
  }

  setFolders(folders: readonly string[]): void {
    this.folders = folders;
    this.readSoon({ kind: 'everything' });
  }

  /** Whether somebody looks at the picture; it is reconciled more often then. */
  setVisible(visible: boolean): void {
    if (this.visible === visible) return;
    this.visible = visible;
    this.scheduleReconcile();
  }

  /** Reads everything again and resolves when the picture says what was read. */
  async refresh(): Promise<void> {
    this.pending.add({ kind: 'everything' });
    await this.reading;
    await this.readPending();
  }

  /** Ends every timer and watcher; nobody is told anything any more. */
  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
    this.stopWatching();
    for (const timer of Object.values(this.timers)) timer.dispose();
    this.timers = {};
  }

  private readSoon(change: HomeChange): void {
    if (this.disposed) return;
    this.pending.add(change);
    this.scheduleReading();
  }

  private scheduleReading(): void {
    if (this.disposed || this.timers.gather || this.reading) return;
    const wait = this.lastMade + LEAST_GAP_MS - this.dependencies.clock.monotonic();
    this.setTimer('gather', Math.max(GATHER_MS, wait), () => {
      delete this.timers.gather;
      void this.readPending();
    });
  }

  private readPending(): Promise<void> {
    this.reading ??= this.readAll().finally(() => {
      this.reading = undefined;
      if (!this.pending.isEmpty) this.scheduleReading();
    });
    return this.reading;
  }

  private async readAll(): Promise<void> {
    const changes = this.pending.take();
    try {
      if (changes.everything) this.openHome();
      await this.readRepositories(changes);
      this.readingProblem = undefined;
    } catch (error) {
      // Whatever it is, it must not end the watching; the next reading tries again.
      const reason = error instanceof Error ? error.message : String(error);
      this.readingProblem = { file: this.homeFound.path, reason };
    }
    this.makePicture();
  }

  private async readRepositories(changes: ReturnType<PendingChanges['take']>): Promise<void> {
    for (const [repoId, reader] of this.readers) {
      const change = changes.of(repoId);
      if (!change) continue;
      if (change.lock) reader.readLock();
      if (change.leases === 'all' || change.leases.size > 0) await reader.readLeases(change.leases);
    }
  }

  /** Finds the home and the repositories anew, and watches them when they are not those that are watched. */
  private openHome(): void {
    const home = this.findHome();
    const moved = home.path !== this.homeFound.path;
    if (moved) this.readers.clear();
    this.homeFound = home;
    this.open = findOpenRepositories(home.path, this.folders, moved ? [] : this.open.registered, this.dependencies);
    for (const repoId of this.readers.keys()) if (!this.open.subjects.has(repoId)) this.readers.delete(repoId);
    for (const repoId of this.open.subjects.keys()) {
      if (!this.readers.has(repoId))
        this.readers.set(repoId, new RepositoryReader(home.path, repoId, this.dependencies));
    }
    this.watchAgain(home);
    this.scheduleReconcile();
  }

  private findHome(): HomePicture {
    const surroundings = this.dependencies.surroundings();
    const { path } = resolveControllerHome(surroundings);
    if (this.exists(path)) return { kind: 'agents', path };
    const own = ownControllerHome(surroundings);
    return this.exists(own) ? { kind: 'own', path: own } : { kind: 'absent', path };
  }

  private exists(file: string): boolean {
    return this.identityOf(file) !== '';
  }

  /** Tells a directory from another one in the same place; empty when there is none. */
  private identityOf(file: string): string {
    try {
      const { dev, ino } = this.dependencies.fileSystem.lstatSync(file);
      return `${dev}:${ino}`;
    } catch {
      return '';
    }
  }

  /** Starts a new watch when the home, the repositories or any watched directory is not the one that is watched. */
  private watchAgain(home: HomePicture): void {
    const repoIds = [...this.open.subjects.keys()];
    const directories = repoIds.flatMap(repoId => {
      const { root, activeLeases, locks } = repositoryPaths(home.path, repoId);
      return [root, activeLeases, locks];
    });
    const wanted = [home.path, ...directories].map(file => `${file} ${this.identityOf(file)}`).join('\n');
    if (home.kind === 'absent') {
      this.stopWatching();
      this.failure = undefined;
    } else if (this.failure === undefined ? wanted !== this.watched : this.sinceWatch() >= WATCH_AGAIN_MS) {
      this.stopWatching();
      this.watched = wanted;
      this.watchedAt = this.dependencies.clock.monotonic();
      this.watch = this.startWatch(home.path, repoIds);
    }
  }

  private sinceWatch(): number {
    return this.dependencies.clock.monotonic() - this.watchedAt;
  }

  private startWatch(home: string, repoIds: readonly string[]): { dispose(): void } {
    let failed = false;
    return this.dependencies.watchHome({
      home,
      repoIds,
      onChange: change => {
        this.readSoon(change);
        if (change.kind !== 'everything' && change.kind !== 'repository') return;
        this.setTimer('newDirectory', NEW_DIRECTORY_MS, () => this.readSoon({ kind: 'everything' }));
      },
      onReady: () => {
        if (!failed) this.failure = undefined;
        this.readSoon({ kind: 'everything' });
      },
      onFailure: reason => {
        failed = true;
        if (this.failure === reason) return;
        this.failure = reason;
        this.makePicture();
        this.scheduleReconcile();
      },
    });
  }

  private stopWatching(): void {
    this.watch?.dispose();
    this.watch = undefined;
    this.watched = '';
  }

  private makePicture(): void {
    if (this.disposed) return;
    this.lastMade = this.dependencies.clock.monotonic();
    const problems = [this.open.registryProblem, this.readingProblem].filter(problem => problem !== undefined);
    const repositories = [];
    let changesInMs = Number.POSITIVE_INFINITY;
    for (const [repoId, reader] of this.readers) {
      const subject = this.open.subjects.get(repoId);
      if (!subject) continue;
      const made = reader.picture(subject);
      repositories.push(made.picture);
      changesInMs = Math.min(changesInMs, made.changesInMs);
      if (reader.problem) problems.push(reader.problem);
    }
    repositories.sort((a, b) => a.displayName.localeCompare(b.displayName) || (a.repoId < b.repoId ? -1 : 1));
    this.timers.change?.dispose();
    delete this.timers.change;
    if (Number.isFinite(changesInMs)) this.setTimer('change', Math.ceil(changesInMs) + 1, () => this.makePicture());
    const made: LeasePicture = Object.freeze({
      home: this.homeFound,
      watching: this.watching(),
      repositories,
      problems,
    });
    if (samePicture(this.picture, made)) return;
    this.picture = made;
    this.listeners.tell(made);
  }

  private watching(): Watching {
    if (this.failure === undefined) return { kind: 'events' };
    return { kind: 'polling', everyMs: POLL_MS[this.visible ? 'visible' : 'hidden'], reason: this.failure };
  }

  private scheduleReconcile(): void {
    if (this.disposed) return;
    const every = this.failure === undefined ? RECONCILE_MS : POLL_MS;
    this.setTimer('reconcile', every[this.visible ? 'visible' : 'hidden'], () => {
      this.scheduleReconcile();
      this.readSoon({ kind: 'everything' });
    });
  }

  private setTimer(name: keyof LivePicture['timers'], ms: number, callback: () => void): void {
    this.timers[name]?.dispose();
    this.timers[name] = this.dependencies.clock.timer(ms, callback);
  }
}

function samePicture(a: LeasePicture, b: LeasePicture): boolean {
  return (
    a.repositories.length === b.repositories.length &&
    a.repositories.every((repository, index) => repository === b.repositories[index]) &&
    JSON.stringify([a.home, a.watching, a.problems]) === JSON.stringify([b.home, b.watching, b.problems])
  );
}
