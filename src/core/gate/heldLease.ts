import type { Clock, Timer } from '../clock';
import { LOCK_TIME_TO_LIVE_MS } from '../controller/repositoryLock';
import { codeOf, LeaseError, type LeaseErrorCode } from '../leaseError';
import type { LeaseRecord } from '../leases/leaseRecord';
import type { LeaseReference, LeaseStore, ReleaseResult } from '../leases/leaseStore';

/** After these a lease may still be ours: the renewal is tried again within the time that is left. */
const MAY_BE_RETRIED: ReadonlySet<string | undefined> = new Set<LeaseErrorCode>([
  'LEASE_UNREADABLE',
  'LOCK_HELD',
  'LOCK_UNREADABLE',
  'LOCK_OUTLIVED',
  'LOCK_OWNERSHIP_MISMATCH',
  'STORAGE_FAILED',
  'WRITER_FENCED',
]);
const RETRY_MS = 250;
/** A lock that a crash left behind is over by then, so that a release need not give up because of it. */
const RELEASE_WAIT_MS = LOCK_TIME_TO_LIVE_MS + 1_000;

/**
 * A set of our own leases kept alive by a heartbeat at a third of its time to live. It is lost as soon as either clock
 * says that the time since the last renewal is over, or the disk says that a lease is not ours any more; then `signal`
 * aborts. The heartbeat shares the thread with everything else: `assert` looks at clocks and disk at that moment.
 */
export class HeldLease {
  private readonly loss = new AbortController();
  private readonly ending = new AbortController();
  private references: readonly LeaseReference[];
  private timers: Timer[] = [];
  private renewal: Promise<void> | undefined;
  private expiry: { wall: number; monotonic: number };
  private renewals = 0;
  private lastExpiresAt: string;

  constructor(
    private readonly store: LeaseStore,
    private readonly owner: string,
    leases: readonly LeaseRecord[],
    private readonly timeToLiveMs: number,
    private readonly clock: Clock,
    acquiredAtMonotonic: number,
  ) {
    this.references = leases.map(({ leaseId, fencingToken, ownerIdentityDigest }) => ({
      leaseId,
      fencingToken,
      ownerIdentityDigest,
    }));
    this.lastExpiresAt = leases[0]?.expiresAt ?? new Date(clock.wall() + timeToLiveMs).toISOString();
    this.expiry = { wall: Date.parse(this.lastExpiresAt), monotonic: acquiredAtMonotonic + timeToLiveMs };
    this.schedule(Math.floor(timeToLiveMs / 3));
  }

  /** Aborts once, when the lease is lost; its reason is a LeaseError. */
  get signal(): AbortSignal {
    return this.loss.signal;
  }

  get renewCount(): number {
    return this.renewals;
  }

  get expiresAt(): string {
    return this.lastExpiresAt;
  }

  /** Renews now. Throws when it did not succeed, also when it may be tried again. */
  async renew(): Promise<void> {
    await this.renewal?.catch(() => undefined);
    this.renewal = this.renewOnce();
    await this.renewal;
  }

  /** Throws unless every lease of the set is ours on both clocks and on disk. */
  assert(): void {
    this.checkClocks();
    if (!this.signal.aborted) {
      try {
        this.assertOnDisk();
        return;
      } catch (error) {
        this.lose(error);
      }
    }
    throw new LeaseError('MUTATION_OWNERSHIP_LOST', reasonOf(this.signal.reason), { cause: this.signal.reason });
  }

  /** A file that could not be read once is read again: it says nothing about who holds it. */
  private assertOnDisk(): void {
    for (const reference of this.references) {
      try {
        this.store.assertHeld(reference);
      } catch (error) {
        if (!MAY_BE_RETRIED.has(codeOf(error))) throw error;
        this.store.assertHeld(reference);
      }
    }
  }

  /** Ends the heartbeat; a renewal that still waits for the lock ends as well. Nothing is given back. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.clearTimers();
    await this.renewal?.catch(() => undefined);
  }

  /** Ends the heartbeat and gives back exactly this set. */
  async release(): Promise<ReleaseResult> {
    await this.stop();
    return await this.store.releaseExactly(this.owner, this.references, { waitMs: RELEASE_WAIT_MS });
  }

  private async renewOnce(): Promise<void> {
    const since = this.clock.monotonic();
    const waitMs = Math.max(this.expiry.monotonic - since, 0);
    const wait = { waitMs, signal: this.ending.signal };
    const [renewed] = await this.store.renew(this.owner, this.references, this.timeToLiveMs, wait);
    this.renewals += 1;
    if (!renewed) return;
    this.lastExpiresAt = renewed.expiresAt;
    this.expiry = { wall: Date.parse(renewed.expiresAt), monotonic: since + this.timeToLiveMs };
  }

  private schedule(beatInMs: number): void {
    this.clearTimers();
    if (this.ending.signal.aborted || this.signal.aborted) return;
    this.timers = [
      this.clock.timer(beatInMs, () => void this.beat()),
      this.clock.timer(this.expiry.monotonic - this.clock.monotonic(), () => this.checkClocks()),
    ];
  }

  private async beat(): Promise<void> {
    let next = Math.floor(this.timeToLiveMs / 3);
    try {
      await this.renew();
    } catch (error) {
      if (!MAY_BE_RETRIED.has(codeOf(error))) this.lose(error);
      next = RETRY_MS;
    }
    this.checkClocks();
    this.schedule(next);
  }

  private checkClocks(): void {
    const over = this.clock.wall() >= this.expiry.wall || this.clock.monotonic() >= this.expiry.monotonic;
    if (over) this.lose(new LeaseError('LEASE_EXPIRED', `it could not be renewed before ${this.lastExpiresAt}.`));
  }

  private lose(reason: unknown): void {
    if (this.ending.signal.aborted || this.signal.aborted) return;
    this.clearTimers();
    this.loss.abort(reason);
  }

  private clearTimers(): void {
    for (const timer of this.timers) timer.dispose();
    this.timers = [];
  }
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : 'the lease is not ours any more.';
}
