import type { Clock } from '../clock';
import { type HeldLock, type LockWait, RepositoryLock } from '../controller/repositoryLock';
import { type RepositoryPaths, repositoryPaths } from '../controller/repositoryPaths';
import { readWriteFence } from '../controller/writeFence';
import { codeOf, LeaseError } from '../leaseError';
import { jsonText, writeAtomically } from '../storage/atomicJson';
import type { FileSystem } from '../storage/fileSystem';
import { type Blocker, findBlockers } from './blocker';
import type { Claim } from './claim';
import { checkClaimScope } from './claimScope';
import { LeaseDirectory, type LeaseFile } from './leaseDirectory';
import { grantLeases } from './leaseGrant';
import type { LeaseRecord, OwnerIdentity } from './leaseRecord';
import { sweepExpired } from './leaseSweep';
import { remainingMs } from './observedExpiry';
import { acquiringIdentity, type IdentityEnvironment } from './ownerIdentity';

export interface AcquireRequest {
  /** Unique to one holder: a second acquire under the same owner is refused, not merged. */
  readonly owner: string;
  readonly claims: readonly Claim[];
  /** Milliseconds, 5,000 (the protocol's floor) to 86,400,000; anything else is refused, never clamped. */
  readonly timeToLiveMs: number;
  readonly ownerIdentity?: Partial<OwnerIdentity>;
  /** How long to wait for the repository lock, milliseconds. */
  readonly waitMs?: number;
}

export type AcquireResult =
  | { readonly acquired: true; readonly leases: readonly LeaseRecord[] }
  | { readonly acquired: false; readonly blockers: readonly Blocker[] };

/** What must still be true of a lease for its holder to touch it. */
export interface LeaseReference {
  readonly leaseId: string;
  readonly fencingToken: number;
  readonly ownerIdentityDigest?: string | undefined;
}

export interface ReleaseResult {
  readonly released: readonly string[];
  /** Leases of the set that were gone already. */
  readonly missing: readonly string[];
}

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly environment: IdentityEnvironment;
  readonly processId: number;
}

export const TIME_TO_LIVE_MS = { least: 5_000, most: 86_400_000 } as const;

/**
 * Ephemeral execution leases of one repository, in the files of the lease protocol. Admission is decided under the
 * repository lock, all claims or none. The lock is taken inside each call and never outlives it.
 *
 * What is not promised: fairness between waiters, and protection of the checkout itself from a holder that lost its
 * lease and does not look; holders ask `assertHeld` right before what must not happen twice.
 */
export class LeaseStore {
  private readonly paths: RepositoryPaths;
  private readonly directory: LeaseDirectory;
  private readonly lock: RepositoryLock;

  constructor(
    private readonly home: string,
    readonly repoId: string,
    private readonly dependencies: Dependencies,
  ) {
    this.paths = repositoryPaths(home, repoId);
    this.directory = new LeaseDirectory(this.paths.activeLeases, dependencies);
    this.lock = new RepositoryLock(home, repoId, dependencies);
  }

  /** Grants all claims or none. Claims of one call are not compared with each other. */
  async acquire(request: AcquireRequest): Promise<AcquireResult> {
    checkTimeToLive(request.timeToLiveMs);
    checkClaimScope(this.repoId, request.claims);
    const { environment, processId } = this.dependencies;
    const ownerIdentity = acquiringIdentity(this.repoId, request.claims, {
      owner: request.owner,
      provided: request.ownerIdentity,
      environment,
      processId,
    });
    const fenced = this.fence();
    if (fenced) return { acquired: false, blockers: [fenced] };
    await this.directory.readAgain(new Set());
    try {
      return await this.lock.run(
        `lease-acquire:${request.owner}`,
        lock => this.admit(request, ownerIdentity, lock),
        request,
      );
    } catch (error) {
      const code = codeOf(error);
      if (!(error instanceof LeaseError) || (code !== 'LOCK_HELD' && code !== 'LOCK_UNREADABLE')) throw error;
      return { acquired: false, blockers: [{ kind: 'lock', detail: error.detail }] };
    }
  }

  /**
   * Extends exactly these leases to `timeToLiveMs` from now; an expiry is never moved to an earlier time. All are
   * checked before the first is written. LEASE_EXPIRED or FENCING_TOKEN_STALE when one is not ours any more.
   */
  async renew(
    owner: string,
    references: readonly LeaseReference[],
    timeToLiveMs: number,
    options: LockWait = {},
  ): Promise<readonly LeaseRecord[]> {
    checkTimeToLive(timeToLiveMs);
    this.refuseWhenFenced('renew_lease');
    return await this.lock.run(
      `lease-renew:${owner}`,
      lock => {
        const held = references.map(reference => this.held(reference, owner));
        const now = this.dependencies.clock.wall();
        return held.map(({ file, text, record }) => {
          const heartbeatAt = new Date(now).toISOString();
          const expiresAt = new Date(Math.max(now + timeToLiveMs, Date.parse(record.expiresAt))).toISOString();
          // From the text, not the parsed record: members that we do not know stay as they are.
          writeAtomically(
            this.dependencies.fileSystem,
            file,
            jsonText({ ...JSON.parse(text), expiresAt, heartbeatAt }),
            lock.assertHeld,
          );
          return { ...record, expiresAt, heartbeatAt };
        });
      },
      options,
    );
  }

  /**
   * Gives back exactly this set: it must be all that the owner holds, and each lease must match, else nothing is
   * touched (LEASE_SET_INVALID, LEASE_SET_MISMATCH, LEASE_SET_FENCE_MISMATCH). What is gone already is reported.
   */
  async releaseExactly(
    owner: string,
    references: readonly LeaseReference[],
    options: LockWait = {},
  ): Promise<ReleaseResult> {
    if (new Set(references.map(reference => reference.leaseId)).size !== references.length) {
      throw new LeaseError('LEASE_SET_INVALID', `the set of ${owner} names a lease twice.`);
    }
    this.refuseWhenFenced('release_lease');
    return await this.lock.run(
      `lease-release-exact:${owner}`,
      lock => this.releaseSet(owner, references, lock),
      options,
    );
  }

  /** Reads the lease again and returns it when it is still held; else LEASE_EXPIRED or FENCING_TOKEN_STALE. */
  assertHeld(reference: LeaseReference): LeaseRecord {
    return this.held(reference).record;
  }

  private admit(request: AcquireRequest, ownerIdentity: OwnerIdentity, lock: HeldLock): AcquireResult {
    const fenced = this.fence();
    if (fenced) return { acquired: false, blockers: [fenced] };
    this.directory.readNew();
    const blockers = findBlockers(this.directory, request.owner, request.claims, this.dependencies.clock);
    if (blockers.length > 0) return { acquired: false, blockers };
    const { fileSystem, clock } = this.dependencies;
    const order = { repoId: this.repoId, owner: request.owner, ownerIdentity, timeToLiveMs: request.timeToLiveMs };
    const place = { fileSystem, clock, directory: this.directory, counters: this.paths.counters };
    const leases = grantLeases(place, order, request.claims, lock.assertHeld);
    sweepExpired(place, lock.assertHeld);
    return { acquired: true, leases };
  }

  private releaseSet(owner: string, references: readonly LeaseReference[], lock: HeldLock): ReleaseResult {
    this.directory.readNew();
    const wanted = new Set(references.map(reference => reference.leaseId));
    for (const entry of [...this.directory.entries]) {
      if (entry.kind !== 'lease' || entry.record.ownerJobId !== owner || wanted.has(entry.record.leaseId)) continue;
      const now = this.directory.readLease(entry.record.leaseId);
      if (!now || (now.kind === 'lease' && remainingMs(now.expiry, this.dependencies.clock) <= 0)) continue;
      throw new LeaseError('LEASE_SET_MISMATCH', `${owner} also holds ${entry.record.leaseId}.`);
    }
    const missing: string[] = [];
    const released: string[] = [];
    const found = references.flatMap(reference => {
      const entry = this.directory.readLease(reference.leaseId);
      if (!entry) missing.push(reference.leaseId);
      else if (entry.kind === 'unreadable' || entry.record.ownerJobId !== owner || !matches(entry.record, reference)) {
        throw new LeaseError('LEASE_SET_FENCE_MISMATCH', `${reference.leaseId} is not as ${owner} was granted it.`);
      }
      return entry ? [{ leaseId: reference.leaseId, file: entry.file }] : [];
    });
    for (const { leaseId, file } of found) {
      lock.assertHeld();
      this.remove(file);
      released.push(leaseId);
    }
    return { released, missing };
  }

  private remove(file: string): void {
    try {
      this.dependencies.fileSystem.unlinkSync(file);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT')
        throw new LeaseError('STORAGE_FAILED', `${file} could not be removed (${code}).`, { cause: error });
    }
  }

  /** One's own lease is over as soon as either clock says so; somebody else's only when both do. */
  private held(reference: LeaseReference, owner?: string): LeaseFile {
    const entry = this.directory.readLease(reference.leaseId);
    if (!entry) throw new LeaseError('LEASE_EXPIRED', `${reference.leaseId} is gone.`);
    if (entry.kind === 'unreadable') throw new LeaseError('LEASE_UNREADABLE', `${entry.file}: ${entry.reason}.`);
    const { fencingToken, ownerJobId } = entry.record;
    if (!matches(entry.record, reference) || (owner !== undefined && ownerJobId !== owner)) {
      throw new LeaseError(
        'FENCING_TOKEN_STALE',
        `${reference.leaseId} carries token ${fencingToken} of ${ownerJobId}.`,
      );
    }
    const { clock } = this.dependencies;
    if (entry.expiry.wall <= clock.wall() || entry.expiry.monotonic <= clock.monotonic()) {
      throw new LeaseError('LEASE_EXPIRED', `${reference.leaseId} expired at ${entry.record.expiresAt}.`);
    }
    return entry;
  }

  private fence(): Blocker | undefined {
    const fence = readWriteFence(this.dependencies.fileSystem, this.home);
    return fence.fenced ? { kind: 'fence', reason: fence.reason } : undefined;
  }

  private refuseWhenFenced(action: string): void {
    const fence = readWriteFence(this.dependencies.fileSystem, this.home);
    if (fence.fenced) throw new LeaseError('WRITER_FENCED', `${action}: ${fence.reason}.`);
  }
}

function matches(record: LeaseRecord, reference: LeaseReference): boolean {
  const { fencingToken, ownerIdentityDigest: digest } = reference;
  return record.fencingToken === fencingToken && (!digest || record.ownerIdentityDigest === digest);
}

function checkTimeToLive(timeToLiveMs: number): void {
  const { least, most } = TIME_TO_LIVE_MS;
  if (Number.isInteger(timeToLiveMs) && timeToLiveMs >= least && timeToLiveMs <= most) return;
  throw new LeaseError('TIME_TO_LIVE_INVALID', `${timeToLiveMs} ms is not a whole number from ${least} to ${most}.`);
}
