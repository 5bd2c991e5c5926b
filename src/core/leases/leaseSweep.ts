import type { Clock } from '../clock';
import { removeOwn } from '../storage/atomicJson';
import type { FileSystem } from '../storage/fileSystem';
import type { LeaseDirectory } from './leaseDirectory';
import { remainingMs } from './observedExpiry';

/** A lease that was over for so long is nobody's: longer than clocks of machines that share a home differ, ms. */
const SWEPT_AFTER_MS = 600_000;
/** So that the section under the lock stays short. */
const MOST_AT_ONCE = 50;

interface Place {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly directory: LeaseDirectory;
}

/**
 * Under the repository lock: removes lease files that crashed holders left behind. Each is read again first; what
 * cannot be read is never removed, and what cannot be removed stays. Nothing depends on it, so it never throws.
 */
export function sweepExpired({ fileSystem, clock, directory }: Place, assertHeld: () => void): void {
  const isOver = (remaining: number) => remaining <= -SWEPT_AFTER_MS;
  const over = [...directory.entries].flatMap(entry =>
    entry.kind === 'lease' && isOver(remainingMs(entry.expiry, clock)) ? [entry] : [],
  );
  for (const { record, file } of over.slice(0, MOST_AT_ONCE)) {
    const now = directory.readLease(record.leaseId);
    if (now?.kind !== 'lease' || !isOver(remainingMs(now.expiry, clock))) continue;
    try {
      assertHeld();
    } catch {
      return;
    }
    removeOwn(fileSystem, file);
  }
}
