import { LeaseError } from '../leaseError';
import type { Claim } from '../leases/claim';
import type { OwnerIdentity } from '../leases/leaseRecord';
import { completeOwnerIdentity, type IdentityEnvironment } from '../leases/ownerIdentity';

/** What an operation changes beyond the files of its checkout. */
export interface Ownership {
  /** Paths relative to the checkout that it writes or records. */
  readonly writePaths?: readonly string[];
  /** Whether branches or HEAD as a ref move. Default false. */
  readonly mutatesGitRefs?: boolean;
  /** Whether index and head change. Default true. */
  readonly mutatesGitIndex?: boolean;
}

/** The claims of a mutation gate, all `write`, in the protocol's order, each key once. */
export function mutationClaims(repoId: string, checkoutId: string, ownership: Ownership): Claim[] {
  const keys = [`workspace:${checkoutId}`];
  if (ownership.mutatesGitIndex ?? true) keys.push(`git-index:${checkoutId}`, `git-head:${checkoutId}`);
  if (ownership.mutatesGitRefs) keys.push('git-ref:HEAD', 'git-ref:refs/heads/*');
  for (const path of ownership.writePaths ?? []) {
    const relative = path.replace(/^\.\//, '').replaceAll('\\', '/');
    if (relative) keys.push(`path:${checkoutId}:${relative}`);
  }
  return [...new Set(keys)].map(resourceKey => ({ resourceKey, mode: 'write', repoId, checkoutId }));
}

/** A gate's owner id: workers keep theirs, everybody else's is marked as a gate's. */
export function gateOwner(owner: string): string {
  return /^(fast:|JOB-)/.test(owner) ? owner : `fast:${owner}`;
}

export interface MutationIdentityRequest {
  readonly repoId: string;
  readonly checkoutId: string;
  /** As the caller gave it, without the mark of a gate. */
  readonly owner: string;
  readonly provided?: Partial<OwnerIdentity> | undefined;
  readonly environment: IdentityEnvironment;
  readonly processId: number;
}

/** The identity of a gate; one that names another repository or checkout is refused. */
export function mutationIdentity(request: MutationIdentityRequest): OwnerIdentity {
  const { repoId, checkoutId, provided } = request;
  if (provided?.repositoryId && provided.repositoryId !== repoId) {
    throw new LeaseError('MUTATION_OWNER_REPOSITORY_MISMATCH', `expected ${repoId}, received ${provided.repositoryId}`);
  }
  if (provided?.checkoutId && provided.checkoutId !== checkoutId) {
    throw new LeaseError('MUTATION_OWNER_CHECKOUT_MISMATCH', `expected ${checkoutId}, received ${provided.checkoutId}`);
  }
  return completeOwnerIdentity(request);
}
