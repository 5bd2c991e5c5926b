import type { Clock } from '../clock';
import { LeaseError } from '../leaseError';
import { type Claim, resourcesConflict } from './claim';
import type { LeaseDirectory } from './leaseDirectory';
import type { LeaseRecord } from './leaseRecord';
import { remainingMs } from './observedExpiry';
import { parseResource } from './resource';

/** Something that keeps an acquire from being granted. Blocked is a value; what is broken is thrown. */
export type Blocker =
  /** Another owner holds something that conflicts with `claim`. */
  | { readonly kind: 'lease'; readonly claim: Claim; readonly lease: LeaseRecord; readonly file: string }
  /** A file among the leases does not say whom it stands for, so it may stand for a holder. */
  | { readonly kind: 'unreadable'; readonly file: string; readonly reason: string }
  /** The repository lock stayed taken for as long as we were to wait; nobody need hold a lease. */
  | { readonly kind: 'lock'; readonly detail: string }
  /** An agent runtime fences writers out of the controller home. */
  | { readonly kind: 'fence'; readonly reason: string };

/**
 * Under the repository lock, with the directory's names known: everything that keeps `owner` from these claims. Only
 * what conflicts by its claim is read again, for its times. An owner that holds something already is refused.
 */
export function findBlockers(
  directory: LeaseDirectory,
  owner: string,
  claims: readonly Claim[],
  clock: Clock,
): readonly Blocker[] {
  const claimed = claims.map(claim => ({ claim, resource: parseResource(claim.resourceKey) }));
  return [...directory.entries].flatMap((entry): readonly Blocker[] => {
    if (entry.kind === 'unreadable') return [entry];
    const own = entry.record.ownerJobId === owner;
    const conflicting = claimed.filter(({ claim, resource }) =>
      resourcesConflict(resource, claim.mode, entry.resource, entry.record.mode),
    );
    if (!own && conflicting.length === 0) return [];
    const now = directory.readLease(entry.record.leaseId);
    if (now?.kind === 'unreadable') return [now];
    if (!now || remainingMs(now.expiry, clock) <= 0) return [];
    if (own) throw new LeaseError('LEASE_OWNER_HOLDS_ALREADY', `${owner} holds ${now.record.leaseId} already.`);
    return conflicting.map(({ claim }) => ({ kind: 'lease', claim, lease: now.record, file: now.file }));
  });
}
