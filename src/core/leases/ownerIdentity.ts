import { createHash } from 'node:crypto';
import { LeaseError } from '../leaseError';
import type { Claim } from './claim';
import type { OwnerIdentity } from './leaseRecord';

/** Variables that give an identity its defaults (protocol). */
export type IdentityEnvironment = Readonly<Record<string, string | undefined>>;

export interface IdentityRequest {
  readonly repoId: string;
  /** Names the principal when the caller gave none: `owner:<this>`. */
  readonly owner: string;
  /** The checkout that the claims name, when they name one. */
  readonly checkoutId?: string | undefined;
  readonly provided?: Partial<OwnerIdentity> | undefined;
  readonly environment: IdentityEnvironment;
  readonly processId: number;
}

/** Completes what the caller gave: trimmed, and blank counts as missing. */
export function completeOwnerIdentity(request: IdentityRequest): OwnerIdentity {
  const { provided = {}, environment } = request;
  const checkoutId = given(provided.checkoutId) ?? given(request.checkoutId) ?? 'unscoped';
  return {
    repositoryId: request.repoId,
    checkoutId,
    worktreeId: given(provided.worktreeId) ?? checkoutId,
    branch: given(provided.branch) ?? 'unknown',
    principalId: given(provided.principalId) ?? `owner:${request.owner}`,
    controllerInstanceId:
      given(provided.controllerInstanceId) ??
      given(environment.FORGE_WRITER_INSTANCE_ID) ??
      given(environment.FORGE_DAEMON_INSTANCE_ID) ??
      `process:${request.processId}`,
    controllerGeneration:
      given(provided.controllerGeneration) ??
      given(environment.FORGE_WRITER_GENERATION) ??
      given(environment.FORGE_ACTIVE_RUNTIME_REVISION) ??
      'unbound',
  };
}

/** SHA-256 over the compact JSON list of the seven values, in the protocol's order. */
export function ownerIdentityDigest(identity: OwnerIdentity): string {
  const { repositoryId, checkoutId, worktreeId, branch, principalId, controllerInstanceId, controllerGeneration } =
    identity;
  const values = [
    repositoryId,
    checkoutId,
    worktreeId,
    branch,
    principalId,
    controllerInstanceId,
    controllerGeneration,
  ];
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** The identity of an acquire: it must not contradict the repository nor the checkout of the first claim. */
export function acquiringIdentity(
  repoId: string,
  claims: readonly Claim[],
  request: Omit<IdentityRequest, 'repoId' | 'checkoutId'>,
): OwnerIdentity {
  const { provided } = request;
  if (provided?.repositoryId !== undefined && provided.repositoryId !== repoId) {
    throw new LeaseError('LEASE_OWNER_REPOSITORY_MISMATCH', `expected ${repoId}, received ${provided.repositoryId}`);
  }
  const checkoutId = given(claims[0]?.checkoutId);
  if (checkoutId && provided?.checkoutId && provided.checkoutId !== checkoutId) {
    throw new LeaseError('LEASE_OWNER_CHECKOUT_MISMATCH', `claim ${checkoutId}, owner ${provided.checkoutId}`);
  }
  return completeOwnerIdentity({ ...request, repoId, checkoutId });
}

function given(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
