import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod/mini';
import { type Clock, pause } from '../clock';
import { codeOf, LeaseError } from '../leaseError';
import { createFile, jsonText, removeOwn, temporaryPath } from '../storage/atomicJson';
import type { FileSystem } from '../storage/fileSystem';
import { type RecordRead, readRecord } from '../storage/recordFile';
import { repositoryPaths } from './repositoryPaths';
import { safeName } from './safeName';

/** Time to live of the repository lock, milliseconds (protocol). Our sections take a few. */
export const LOCK_TIME_TO_LIVE_MS = 10_000;
/** A section that took this long must not write any more: the next holder may be in already. */
const LOCK_SAFE_MS = 8_000;
/** How long a lock is waited for when the caller does not say, milliseconds. */
const LOCK_WAIT_MS = 3_000;
/** Of file systems that have no hard links (exFAT, some that are shared): the lock is then created and written. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']);
/** The first pause is short, since a section takes a few milliseconds; each may be twice as long as the one before. */
const RETRY_MS = { least: 1, most: 25 } as const;

/** The lock file's record, in the order in which it is written. */
const lockSchema = z.object({
  scope: z.string(),
  repoId: z.optional(z.string()),
  lockId: z.string().check(z.minLength(1)),
  owner: z.string(),
  pid: z.number(),
  acquiredAt: z.string(),
  heartbeatAt: z.string(),
  expiresAt: z.optional(z.string()),
  path: z.string(),
});

export type LockRecord = z.infer<typeof lockSchema>;
export type LockRead = RecordRead<LockRecord>;

/** Looks at a lock without touching it. */
export function readRepositoryLock(fileSystem: FileSystem, lockFile: string): LockRead {
  return readRecord(fileSystem, lockFile, lockSchema);
}

export interface HeldLock {
  /** Throws unless the lock file still carries our lock and its time is not nearly over. Call before each effect. */
  assertHeld(): void;
}

export interface LockWait {
  /** How long another holder is waited for, milliseconds. */
  readonly waitMs?: number;
  /** Ends the wait early; a section that has begun is not ended. */
  readonly signal?: AbortSignal;
}

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
}

/**
 * The lock that every writer below a repository's `leases` takes, compatible with the protocol's other programs.
 * It does not promise fairness, nor exclusion against a holder that stalls beyond the lock's time to live while
 * another one takes over: `assertHeld` right before each effect is what keeps such a holder from writing.
 *
 * A lock counts as left behind only when its own time to live is over. A process id that is not found proves
 * nothing: the home may be shared with a container that has its own process ids.
 */
export class RepositoryLock {
  private readonly file: string;

  constructor(
    home: string,
    private readonly repoId: string,
    private readonly dependencies: Dependencies,
  ) {
    this.file = repositoryPaths(home, repoId).lockFile;
  }

  /**
   * Runs `section` under the lock; it must be synchronous and short. Waits up to `waitMs` for another holder, then
   * throws LOCK_HELD with the holder's name. Other codes: LOCK_UNREADABLE, LOCK_OUTLIVED, STORAGE_FAILED.
   */
  async run<T>(owner: string, section: (lock: HeldLock) => T, options: LockWait = {}): Promise<T> {
    const { clock } = this.dependencies;
    const start = clock.monotonic();
    for (let longest: number = RETRY_MS.least * 2; ; longest = Math.min(longest * 2, RETRY_MS.most)) {
      const attempt = this.attempt(owner);
      if (attempt.kind === 'taken') {
        try {
          return section({ assertHeld: () => this.assertHeld(attempt.record, attempt.since) });
        } finally {
          this.release(attempt.record, attempt.since);
        }
      }
      const waited = clock.monotonic() - start >= (options.waitMs ?? LOCK_WAIT_MS);
      if (waited || options.signal?.aborted) throw this.contention(attempt.holder);
      await pause(clock, RETRY_MS.least + Math.random() * (longest - RETRY_MS.least), options.signal);
    }
  }

  private attempt(
    owner: string,
  ): { kind: 'taken'; record: LockRecord; since: number } | { kind: 'held'; holder: LockRead } {
    const { clock } = this.dependencies;
    const read = this.read();
    if (read.kind === 'unreadable') return { kind: 'held', holder: read };
    if (read.kind === 'record') {
      if (!this.isOver(read.record)) return { kind: 'held', holder: read };
      this.reap(read.record);
    }
    const since = clock.monotonic();
    const record = this.newRecord(owner);
    return this.create(record) ? { kind: 'taken', record, since } : { kind: 'held', holder: this.read() };
  }

  private newRecord(owner: string): LockRecord {
    const now = this.dependencies.clock.wall();
    const acquiredAt = new Date(now).toISOString();
    return {
      scope: 'repository',
      repoId: this.repoId,
      lockId: `repository:${this.repoId}:${now}:${process.pid}:${randomBytes(4).toString('hex')}`,
      owner,
      pid: process.pid,
      acquiredAt,
      heartbeatAt: acquiredAt,
      expiresAt: new Date(now + LOCK_TIME_TO_LIVE_MS).toISOString(),
      path: this.file,
    };
  }

  /**
   * Creates the lock file with its whole content in one step (a link to a finished file), so that a crash or a full
   * disk can never leave an empty lock, which would block the protocol's other programs for ever.
   */
  private create(record: LockRecord): boolean {
    const { fileSystem } = this.dependencies;
    const temporary = temporaryPath(this.file);
    try {
      createFile(fileSystem, temporary, jsonText(record));
      this.linkOrCreate(temporary, record);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw new LeaseError('STORAGE_FAILED', `the lock ${this.file} could not be created (${codeOf(error)}).`, {
        cause: error,
      });
    } finally {
      removeOwn(fileSystem, temporary);
    }
  }

  private linkOrCreate(temporary: string, record: LockRecord): void {
    const { fileSystem } = this.dependencies;
    try {
      fileSystem.linkSync(temporary, this.file);
    } catch (error) {
      if (!NO_LINKS.has(codeOf(error))) throw error;
      this.createWhole(record);
    }
  }

  /** Leaves no part of a lock behind when the disk is full: an empty one would block everybody for ever. */
  private createWhole(record: LockRecord): void {
    const { fileSystem } = this.dependencies;
    try {
      createFile(fileSystem, this.file, jsonText(record));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') removeOwn(fileSystem, this.file);
      throw error;
    }
  }

  private assertHeld(record: LockRecord, since: number): void {
    if (this.dependencies.clock.monotonic() - since > LOCK_SAFE_MS) {
      throw new LeaseError(
        'LOCK_OUTLIVED',
        `the lock of ${this.repoId} was held for too long; nothing more is written.`,
      );
    }
    const holder = this.holder();
    if (holder?.lockId !== record.lockId) {
      throw new LeaseError('LOCK_OWNERSHIP_MISMATCH', `${holder?.lockId ?? 'no lock'} is in place of ${record.lockId}`);
    }
  }

  /**
   * Unlinks our own lock and nobody else's; a lock that cannot be unlinked is over by its time to live. One that is
   * nearly over may be reaped at this moment, so it is given back as a reaper would, one at a time.
   */
  private release(record: LockRecord, since: number): void {
    if (this.dependencies.clock.monotonic() - since > LOCK_SAFE_MS) this.reap(record);
    else if (this.holder()?.lockId === record.lockId) removeOwn(this.dependencies.fileSystem, this.file);
  }

  private isOver(record: LockRecord): boolean {
    return record.expiresAt !== undefined && Date.parse(record.expiresAt) <= this.dependencies.clock.wall();
  }

  /** Removes the very lock that was seen to be over: one reaper at a time, and only after a second look. */
  private reap(seen: LockRecord): void {
    const { fileSystem } = this.dependencies;
    const guard = `${this.file}.reap-${safeName(seen.lockId)}.guard`;
    try {
      createFile(fileSystem, guard, '');
    } catch {
      return;
    }
    try {
      if (this.holder()?.lockId === seen.lockId) fileSystem.unlinkSync(this.file);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        throw new LeaseError('STORAGE_FAILED', `the expired lock ${this.file} could not be removed.`, { cause: error });
      }
    } finally {
      removeOwn(fileSystem, guard);
    }
  }

  private read(): LockRead {
    return readRepositoryLock(this.dependencies.fileSystem, this.file);
  }

  private holder(): LockRecord | undefined {
    const read = this.read();
    return read.kind === 'record' ? read.record : undefined;
  }

  private contention(holder: LockRead): LeaseError {
    if (holder.kind === 'unreadable') {
      const name = path.basename(this.file);
      return new LeaseError('LOCK_UNREADABLE', `${name} of ${this.repoId} stays in place: ${holder.reason}.`);
    }
    if (holder.kind === 'absent') return new LeaseError('LOCK_HELD', 'it was taken and given back by another one');
    const { owner, pid, acquiredAt } = holder.record;
    return new LeaseError('LOCK_HELD', `by ${owner} (process ${pid}) since ${acquiredAt}`);
  }
}
