import type { LockRecord } from '../controller/repositoryLock';
import type { LeaseFile, UnreadableFile } from '../leases/leaseDirectory';

/** Everything that is held in the repositories of the open folders, at one moment. Frozen; a change is a new one. */
export interface LeasePicture {
  readonly home: HomePicture;
  readonly watching: Watching;
  /** By name, then by id. */
  readonly repositories: readonly RepositoryPicture[];
  /** What keeps parts of the picture from being known. */
  readonly problems: readonly Problem[];
}

export type HomePicture =
  /** The agents' controller home, or Leasehold's own where there is none. */
  | { readonly kind: 'agents' | 'own'; readonly path: string }
  /** Neither exists; `path` is where the agents' home was looked for. */
  | { readonly kind: 'absent'; readonly path: string };

/** How changes on disk reach the picture. */
export type Watching =
  | { readonly kind: 'events' }
  /** No watcher could be started; the files are read again every `everyMs`. */
  | { readonly kind: 'polling'; readonly everyMs: number; readonly reason: string };

export interface RepositoryPicture {
  readonly repoId: string;
  readonly displayName: string;
  /** False: agents do not honour leases in it until it is registered. */
  readonly registered: boolean;
  /** Checkouts that the registry or an open folder names; leases may name others. */
  readonly checkouts: readonly CheckoutPicture[];
  /** Leases that are not over, by file name. */
  readonly leases: readonly LeaseFile[];
  /** Files among the leases that do not say whom they stand for; each blocks every acquire in this repository. */
  readonly unreadable: readonly UnreadableFile[];
  /** The repository lock, when it stayed taken for longer than any of its holders needs. */
  readonly stuckLock?: StuckLock;
}

export interface CheckoutPicture {
  readonly checkoutId: string;
  readonly root: string;
  readonly branch?: string;
  /** True for a linked worktree. */
  readonly linked: boolean;
}

export type StuckLock =
  | { readonly kind: 'held'; readonly file: string; readonly record: LockRecord }
  | { readonly kind: 'unreadable'; readonly file: string; readonly reason: string };

export interface Problem {
  readonly file: string;
  /** A sentence without its full stop. */
  readonly reason: string;
}
