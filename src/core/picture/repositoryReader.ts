import type { Clock } from '../clock';
import { type LockRead, readRepositoryLock } from '../controller/repositoryLock';
import { repositoryPaths } from '../controller/repositoryPaths';
import { LeaseDirectory, type LeaseFile, type UnreadableFile } from '../leases/leaseDirectory';
import { remainingMs } from '../leases/observedExpiry';
import type { FileSystem } from '../storage/fileSystem';
import type { Problem, RepositoryPicture, StuckLock } from './leasePicture';

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
}

/** What is known of a repository without reading its leases. */
export type RepositorySubject = Pick<RepositoryPicture, 'displayName' | 'registered' | 'checkouts'>;

/** A lock that is seen unchanged for this long is shown, milliseconds; its holders need a few. */
const STUCK_AFTER_MS = 2_000;

/** Keeps what was last read of one repository and makes its part of the picture. Never writes. */
export class RepositoryReader {
  private readonly directory: LeaseDirectory;
  private readonly lockFile: string;
  private lock: { read: LockRead; key: string; since: number } | undefined;
  private listingProblem: Problem | undefined;
  private last: RepositoryPicture | undefined;

  constructor(
    home: string,
    private readonly repoId: string,
    private readonly dependencies: Dependencies,
  ) {
    const paths = repositoryPaths(home, repoId);
    this.directory = new LeaseDirectory(paths.activeLeases, dependencies);
    this.lockFile = paths.lockFile;
  }

  /** What keeps the leases from being known; the picture then still shows what was read before. */
  get problem(): Problem | undefined {
    return this.listingProblem;
  }

  async readLeases(changed: ReadonlySet<string> | 'all'): Promise<void> {
    try {
      await this.directory.readAgain(changed);
      this.listingProblem = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.listingProblem = { file: this.directory.path, reason };
    }
  }

  readLock(): void {
    const read = readRepositoryLock(this.dependencies.fileSystem, this.lockFile);
    if (read.kind === 'absent') this.lock = undefined;
    else {
      const key = read.kind === 'record' ? read.record.lockId : read.reason;
      if (this.lock?.key !== key) this.lock = { read, key, since: this.dependencies.clock.monotonic() };
    }
  }

  /**
   * The repository as it stands now: the same object as long as nothing changed. `changesInMs` is when it will be
   * another without any file changing (a lease is over, a lock counts as stuck).
   */
  picture(subject: RepositorySubject): { picture: RepositoryPicture; changesInMs: number } {
    const { clock } = this.dependencies;
    const leases: LeaseFile[] = [];
    const unreadable: UnreadableFile[] = [];
    let changesInMs = Number.POSITIVE_INFINITY;
    for (const entry of this.directory.entries) {
      if (entry.kind === 'unreadable') unreadable.push(entry);
      else {
        const remaining = remainingMs(entry.expiry, clock);
        if (remaining <= 0) continue;
        changesInMs = Math.min(changesInMs, remaining);
        leases.push(entry);
      }
    }
    // What is shown as stuck must be there: no event may have told that it went.
    if (this.lock && this.lock.since + STUCK_AFTER_MS <= clock.monotonic()) this.readLock();
    const stuckInMs = this.lock ? this.lock.since + STUCK_AFTER_MS - clock.monotonic() : Number.POSITIVE_INFINITY;
    if (stuckInMs > 0) changesInMs = Math.min(changesInMs, stuckInMs);
    const stuckLock = stuckInMs <= 0 ? this.stuckLock() : undefined;
    const made: RepositoryPicture = {
      repoId: this.repoId,
      ...subject,
      leases: leases.sort(byFile),
      unreadable: unreadable.sort(byFile),
      ...(stuckLock ? { stuckLock } : {}),
    };
    if (!this.last || !samePicture(this.last, made)) this.last = made;
    return { picture: this.last, changesInMs };
  }

  private stuckLock(): StuckLock | undefined {
    const file = this.lockFile;
    const read = this.lock?.read;
    if (read?.kind === 'record') return { kind: 'held', file, record: read.record };
    return read?.kind === 'unreadable' ? { kind: 'unreadable', file, reason: read.reason } : undefined;
  }
}

function byFile(a: { readonly file: string }, b: { readonly file: string }): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}

function samePicture(a: RepositoryPicture, b: RepositoryPicture): boolean {
  return (
    a.displayName === b.displayName &&
    a.registered === b.registered &&
    sameItems(a.leases, b.leases) &&
    sameItems(a.unreadable, b.unreadable) &&
    JSON.stringify([a.checkouts, a.stuckLock]) === JSON.stringify([b.checkouts, b.stuckLock])
  );
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
