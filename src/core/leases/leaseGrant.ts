import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock';
import { jsonText, removeOwn, writeAtomically } from '../storage/atomicJson';
import type { FileSystem } from '../storage/fileSystem';
import type { Claim } from './claim';
import { nextFencingToken } from './fencingCounter';
import type { LeaseDirectory } from './leaseDirectory';
import type { LeaseRecord, OwnerIdentity } from './leaseRecord';
import { ownerIdentityDigest } from './ownerIdentity';

interface Place {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly directory: LeaseDirectory;
  /** The directory of the fencing counters. */
  readonly counters: string;
}

interface Order {
  readonly repoId: string;
  readonly owner: string;
  readonly ownerIdentity: OwnerIdentity;
  readonly timeToLiveMs: number;
}

/**
 * Under the repository lock, after admission: draws all fencing tokens, then writes a lease for each claim. When one
 * cannot be written none stays; the drawn tokens are not given back, since a token may never be granted twice.
 */
export function grantLeases(
  place: Place,
  order: Order,
  claims: readonly Claim[],
  assertHeld: () => void,
): readonly LeaseRecord[] {
  const now = place.clock.wall();
  const acquiredAt = new Date(now).toISOString();
  const expiresAt = new Date(now + order.timeToLiveMs).toISOString();
  const digest = ownerIdentityDigest(order.ownerIdentity);
  const leases = claims.map(
    (claim): LeaseRecord => ({
      schemaVersion: 1,
      leaseId: `LEASE-${now}-${randomBytes(4).toString('hex')}`,
      repoId: order.repoId,
      ...trimmed('checkoutId', claim.checkoutId),
      ...trimmed('workId', claim.workId),
      resourceKey: claim.resourceKey,
      mode: claim.mode,
      ownerJobId: order.owner,
      ownerIdentity: order.ownerIdentity,
      ownerIdentityDigest: digest,
      fencingToken: nextFencingToken(
        place.fileSystem,
        place.counters,
        claim.resourceKey,
        highestToken(place.directory, claim.resourceKey),
        acquiredAt,
        assertHeld,
      ),
      acquiredAt,
      expiresAt,
      heartbeatAt: acquiredAt,
      visibility: 'ephemeral',
    }),
  );
  writeAllOrNone(place, leases, assertHeld);
  return leases;
}

function writeAllOrNone(place: Place, leases: readonly LeaseRecord[], assertHeld: () => void): void {
  const written: string[] = [];
  try {
    for (const lease of leases) {
      const file = place.directory.fileOf(lease.leaseId);
      writeAtomically(place.fileSystem, file, jsonText(lease), assertHeld);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) removeOwn(place.fileSystem, file);
    throw error;
  }
}

/** The highest token among the leases of this literal key, over or not; the counter may have been lost. */
function highestToken(directory: LeaseDirectory, resourceKey: string): number {
  let highest = 0;
  for (const entry of directory.entries) {
    if (entry.kind === 'lease' && entry.record.resourceKey === resourceKey) {
      highest = Math.max(highest, entry.record.fencingToken);
    }
  }
  return highest;
}

function trimmed<K extends string>(field: K, value: string | undefined): Partial<Record<K, string>> {
  const text = value?.trim();
  return text ? ({ [field]: text } as Record<K, string>) : {};
}
