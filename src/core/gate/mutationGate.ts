import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import { LeaseError } from '../leaseError';
import type { Blocker } from '../leases/blocker';
import type { Claim } from '../leases/claim';
import type { LeaseRecord, OwnerIdentity } from '../leases/leaseRecord';
import type { LeaseStore } from '../leases/leaseStore';
import { type IdentityEnvironment, ownerIdentityDigest } from '../leases/ownerIdentity';
import type { ProcessProbe } from '../process/liveness';
import { TrackedChildren } from '../process/trackedChildren';
import { type GateSnapshot, takeGateSnapshot } from './gateSnapshot';
import { HeldLease } from './heldLease';
import { gateOwner, mutationClaims, mutationIdentity, type Ownership } from './mutationClaims';

export interface GateRequest {
  readonly store: LeaseStore;
  readonly checkoutId: string;
  /** Top level of the checkout that the operation changes. */
  readonly root: string;
  /** One lower-case word that becomes part of the owner id ("commit"). */
  readonly operation: string;
  readonly ownership: Ownership;
  readonly ownerIdentity?: Partial<OwnerIdentity>;
  /** Milliseconds, 5,000 to 120,000; default 30,000. Anything else is refused, never clamped. */
  readonly timeToLiveMs?: number;
  /** The caller's wish to stop. */
  readonly signal?: AbortSignal;
}

/** A gate as it stands at one moment. */
export interface MutationGate {
  readonly owner: string;
  readonly operation: string;
  readonly repoId: string;
  readonly checkoutId: string;
  readonly claims: readonly Claim[];
  readonly leaseIds: readonly string[];
  /** By lease id. */
  readonly fencingTokens: Readonly<Record<string, number>>;
  readonly ownerIdentity: OwnerIdentity;
  readonly ownerIdentityDigest: string;
  readonly baseHead: string | null;
  readonly baseStatusHash: string | null;
  /** Why there is no status hash. */
  readonly baseStatusMissing?: string;
  readonly acquiredAt: string;
  readonly expiresAt: string;
  readonly timeToLiveMs: number;
  readonly renewCount: number;
}

/** What an operation may ask of the gate it runs under. */
export interface GateHelpers {
  /** Renews now; throws when that did not succeed. */
  renew(): Promise<void>;
  /** Throws MUTATION_OWNERSHIP_LOST unless every lease is still ours, on both clocks and on disk. */
  assert(): void;
  /** Aborts when ownership is lost or the caller wants to stop. */
  readonly signal: AbortSignal;
  getGate(): MutationGate;
  /** Names a process to end when ownership is lost. */
  trackChildPid(processId: number): void;
  ownershipLost(): boolean;
}

export type GateOutcome<T> =
  | {
      readonly kind: 'done';
      readonly value: T;
      readonly gate: MutationGate;
      /** Why the leases could not be given back at once; they end by their time to live. */
      readonly notReleased?: unknown;
    }
  /** Nothing ran and nothing is held. */
  | { readonly kind: 'refused'; readonly blockers: readonly Blocker[] }
  /** The caller stopped it before the operation began; nothing is held, unless that could not be given back. */
  | { readonly kind: 'cancelled'; readonly notReleased?: unknown }
  /** The operation ran, at least in part, without a lease: what it did is unknown until somebody looks. */
  | {
      readonly kind: 'lost';
      readonly gate: MutationGate;
      readonly reason: unknown;
      /** Whether there were tracked processes and all are proven to have ended; nothing is known of others. */
      readonly stopConfirmed: boolean;
    };

interface Dependencies {
  readonly clock: Clock;
  /** The git program. */
  readonly git: string;
  readonly probe: ProcessProbe;
  readonly environment: IdentityEnvironment;
  readonly processId: number;
}

export const GATE_TIME_TO_LIVE_MS = { least: 5_000, default: 30_000, most: 120_000 } as const;

/**
 * Runs `operation` as the only writer of a checkout: acquire, snapshot, run with heartbeat, check that we still own
 * it, release exactly. The repository lock is held only inside each store call, never while the operation runs.
 * An error of the operation is thrown after the release, unless ownership was lost meanwhile.
 */
export async function withMutationGate<T>(
  request: GateRequest,
  dependencies: Dependencies,
  operation: (helpers: GateHelpers) => Promise<T>,
): Promise<GateOutcome<T>> {
  const timeToLiveMs = checkedTimeToLive(request.timeToLiveMs);
  const { clock } = dependencies;
  const { store, checkoutId, signal } = request;
  const name = `leasehold-${request.operation}-${randomUUID()}`;
  const owner = gateOwner(name);
  const claims = mutationClaims(store.repoId, checkoutId, request.ownership);
  const ownerIdentity = mutationIdentity({
    repoId: store.repoId,
    checkoutId,
    owner: name,
    provided: request.ownerIdentity,
    environment: dependencies.environment,
    processId: dependencies.processId,
  });
  if (signal?.aborted) return { kind: 'cancelled' };
  const since = clock.monotonic();
  const acquired = await store.acquire({ owner, claims, timeToLiveMs, ownerIdentity });
  if (!acquired.acquired) return { kind: 'refused', blockers: acquired.blockers };

  const held = new HeldLease(store, owner, acquired.leases, timeToLiveMs, clock, since);
  const children = new TrackedChildren(dependencies);
  let snapshot: GateSnapshot = { head: null, statusHash: null };
  const getGate = () => describeGate(request, acquired.leases, claims, ownerIdentity, snapshot, held, timeToLiveMs);
  held.signal.addEventListener('abort', () => void children.stop());
  const combined = signal ? AbortSignal.any([held.signal, signal]) : held.signal;

  let outcome: { value: T } | { error: unknown } | undefined;
  try {
    snapshot = await takeGateSnapshot(dependencies.git, request.root, combined);
    if (!combined.aborted) {
      const value = await operation({
        renew: () => held.renew(),
        assert: () => held.assert(),
        signal: combined,
        getGate,
        trackChildPid: processId => children.track(processId),
        ownershipLost: () => held.signal.aborted,
      });
      outcome = { value };
      held.assert();
    }
  } catch (error) {
    outcome ??= { error };
  }

  if (outcome && 'error' in outcome) lookOnceMore(held);
  const gate = getGate();
  const notReleased = await giveBack(held);
  if (held.signal.aborted) {
    return { kind: 'lost', gate, reason: held.signal.reason, stopConfirmed: await children.stop() };
  }
  const left = notReleased === undefined ? {} : { notReleased };
  if (!outcome) return { kind: 'cancelled', ...left };
  if ('error' in outcome) throw outcome.error;
  return { kind: 'done', value: outcome.value, gate, ...left };
}

/** An operation may have failed because its lease was taken away: whether it was is what the outcome says first. */
function lookOnceMore(held: HeldLease): void {
  try {
    held.assert();
  } catch {
    // The signal tells.
  }
}

/** Gives the leases back; the reason when that failed, which the outcome reports instead of hiding it. */
async function giveBack(held: HeldLease): Promise<unknown> {
  try {
    await held.release();
    return undefined;
  } catch (error) {
    return error;
  }
}

function describeGate(
  request: GateRequest,
  leases: readonly LeaseRecord[],
  claims: readonly Claim[],
  ownerIdentity: OwnerIdentity,
  snapshot: GateSnapshot,
  held: HeldLease,
  timeToLiveMs: number,
): MutationGate {
  return {
    owner: leases[0]?.ownerJobId ?? '',
    operation: request.operation,
    repoId: request.store.repoId,
    checkoutId: request.checkoutId,
    claims,
    leaseIds: leases.map(lease => lease.leaseId),
    fencingTokens: Object.fromEntries(leases.map(lease => [lease.leaseId, lease.fencingToken])),
    ownerIdentity,
    ownerIdentityDigest: ownerIdentityDigest(ownerIdentity),
    baseHead: snapshot.head,
    baseStatusHash: snapshot.statusHash,
    ...(snapshot.statusMissing === undefined ? {} : { baseStatusMissing: snapshot.statusMissing }),
    acquiredAt: leases[0]?.acquiredAt ?? '',
    expiresAt: held.expiresAt,
    timeToLiveMs,
    renewCount: held.renewCount,
  };
}

function checkedTimeToLive(timeToLiveMs: number = GATE_TIME_TO_LIVE_MS.default): number {
  const { least, most } = GATE_TIME_TO_LIVE_MS;
  if (Number.isInteger(timeToLiveMs) && timeToLiveMs >= least && timeToLiveMs <= most) return timeToLiveMs;
  throw new LeaseError('TIME_TO_LIVE_INVALID', `${timeToLiveMs} ms is not a whole number from ${least} to ${most}.`);
}
