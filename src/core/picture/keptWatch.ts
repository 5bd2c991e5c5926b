import type { Clock, Timer } from '../clock';
import { repositoryPaths } from '../controller/repositoryPaths';
import type { FileSystem } from '../storage/fileSystem';
import { directoryIdentity } from './directoryIdentity';
import type { HomeChange, WatchHome } from './homeWatcher';

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly watchHome: WatchHome;
  readonly onChange: (change: HomeChange) => void;
  /** The watcher failed, or works again. */
  readonly onTurn: () => void;
}

/** chokidar starts to watch a new directory a moment after it has told of it; what came in between is read then. */
const NEW_DIRECTORY_MS = 250;
/** A watcher that failed is tried again no sooner. */
const WATCH_AGAIN_MS = 60_000;

/** Keeps a watch on one home and its repositories, whatever is removed, replaced or made again there. */
export class KeptWatch {
  private watch: { dispose(): void } | undefined;
  private watched = '';
  private watchedAt = Number.NEGATIVE_INFINITY;
  private newDirectory: Timer | undefined;
  private reason: string | undefined;
  private disposed = false;

  constructor(private readonly dependencies: Dependencies) {}

  /** Why no watcher works; undefined while one does, or none is wanted. */
  get failure(): string | undefined {
    return this.reason;
  }

  /** Starts a new watch when the home, the repositories or any watched directory is not the one that is watched. */
  follow(home: string, repoIds: readonly string[]): void {
    if (this.disposed) return;
    const wanted = this.signature(home, repoIds);
    const due = this.dependencies.clock.monotonic() - this.watchedAt >= WATCH_AGAIN_MS;
    if (this.reason === undefined ? wanted === this.watched : !due) return;
    this.stop();
    this.watched = wanted;
    this.watchedAt = this.dependencies.clock.monotonic();
    this.watch = this.start(home, repoIds);
  }

  /** There is nothing to watch. */
  rest(): void {
    this.stop();
    this.reason = undefined;
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
  }

  private start(home: string, repoIds: readonly string[]): { dispose(): void } {
    const { watchHome, onChange, onTurn } = this.dependencies;
    let failed = false;
    return watchHome({
      home,
      repoIds,
      onChange: change => {
        onChange(change);
        if (change.kind === 'everything' || change.kind === 'repository') this.readOnceMore();
      },
      onReady: () => {
        if (!failed && this.reason !== undefined) {
          this.reason = undefined;
          onTurn();
        }
        onChange({ kind: 'everything' });
      },
      onFailure: reason => {
        failed = true;
        if (this.reason === reason) return;
        this.reason = reason;
        onTurn();
      },
    });
  }

  private readOnceMore(): void {
    if (this.disposed) return;
    this.newDirectory?.dispose();
    this.newDirectory = this.dependencies.clock.timer(NEW_DIRECTORY_MS, () =>
      this.dependencies.onChange({ kind: 'everything' }),
    );
  }

  private stop(): void {
    this.watch?.dispose();
    this.watch = undefined;
    this.watched = '';
    this.newDirectory?.dispose();
    this.newDirectory = undefined;
  }

  /** Tells the watched directories from others in the same places. */
  private signature(home: string, repoIds: readonly string[]): string {
    const directories = repoIds.flatMap(repoId => {
      const { root, activeLeases, locks } = repositoryPaths(home, repoId);
      return [root, activeLeases, locks];
    });
    const { fileSystem } = this.dependencies;
    return [home, ...directories].map(file => `${file} ${directoryIdentity(fileSystem, file)}`).join('\n');
  }
}
