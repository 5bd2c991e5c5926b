import { LeaseError } from '../leaseError';
import type { Claim } from './claim';

/** Refuses claims that name another repository, half a work scope, two checkouts or two works (protocol codes). */
export function checkClaimScope(repoId: string, claims: readonly Claim[]): void {
  for (const claim of claims) {
    if (claim.repoId && claim.repoId !== repoId) {
      throw new LeaseError('LEASE_REPOSITORY_SCOPE_MISMATCH', `claim ${claim.repoId}, repository ${repoId}`);
    }
    if (claim.workId && (!claim.repoId || !claim.checkoutId)) {
      throw new LeaseError('LEASE_WORK_SCOPE_INCOMPLETE', `work ${claim.workId} without repository and checkout`);
    }
  }
  if (distinct(claims.map(claim => claim.checkoutId)) > 1) {
    throw new LeaseError('LEASE_CHECKOUT_SCOPE_AMBIGUOUS', 'the claims name more than one checkout');
  }
  if (distinct(claims.map(claim => claim.workId)) > 1) {
    throw new LeaseError('LEASE_WORK_SCOPE_AMBIGUOUS', 'the claims name more than one work');
  }
}

function distinct(values: readonly (string | undefined)[]): number {
  return new Set(values.map(value => value?.trim()).filter(Boolean)).size;
}
