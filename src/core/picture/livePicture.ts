import type { Clock, Timer } from '../clock';
import { type HomeSurroundings, ownControllerHome, resolveControllerHome } from '../controller/controllerHome';
import { Listeners } from '../listeners';
import type { FileSystem } from '../storage/fileSystem';
import { directoryIdentity } from './directoryIdentity';
import type { HomeChange, WatchHome } from './homeWatcher';
import { KeptWatch } from './keptWatch';
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
  /** Told of a listener that threw. */
  readonly onError: (error: unknown) => void;
}

/** Events of one write come together: they are gathered for this long, and pictures are made no faster than this. */
const GATHER_MS = 10;
const LEAST_GAP_MS = 50;
/** A full reading covers lost events and directories that were replaced. */
const RECONCILE_MS = { visible: 10_000, hidden: 60_000 } as const;
/** The same where no events come. */
const POLL_MS = { visible: 2_000, hidden: 10_000 } as const;
/**
 * Keeps a picture of what is held true to the disk: events say what to read again, timers say when a lease is over,
 * a slow reconcile covers the rest. It never writes below a controller home and never throws out of an event.
 */
export class LivePicture {
  private readonly listeners: Listeners<LeasePicture>;
  private readonly pending = new PendingChanges();
  private readonly readers = new Map<string, RepositoryReader>();
  private folders: readonly string[] = [];
  private visible = false;
  private disposed = false;
  private open: OpenRepositories = { identities: [], subjects: new Map(), registered: [] };
  private homeFound: HomePicture;
  private readonly watch: KeptWatch;
  private readingProblem: Problem | undefined;
  private reading: Promise<void> | undefined;
  private lastMade = Number.NEGATIVE_INFINITY;
  private timers: Partial<Record<'gather' | 'change' | 'reconcile', Timer>> = {};
  private picture: LeasePicture;

  constructor(private readonly dependencies: Dependencies) {
    this.listeners = new Listeners(dependencies.onError);
    this.watch = new KeptWatch({
      ...dependencies,
      onChange: change => this.readSoon(change),
      onTurn: () => {
        this.makePicture();
        this.scheduleReconcile();
      },
    });
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
    if (this.watch.failure !== undefined) this.makePicture();
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
    this.watch.dispose();
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
    if (this.disposed) return;
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
    if (home.kind === 'absent') this.watch.rest();
    else this.watch.follow(home.path, [...this.open.subjects.keys()]);
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
    return directoryIdentity(this.dependencies.fileSystem, file) !== '';
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
    const reason = this.watch.failure;
    if (reason === undefined) return { kind: 'events' };
    return { kind: 'polling', everyMs: POLL_MS[this.visible ? 'visible' : 'hidden'], reason };
  }

  private scheduleReconcile(): void {
    if (this.disposed) return;
    const every = this.watch.failure === undefined ? RECONCILE_MS : POLL_MS;
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
