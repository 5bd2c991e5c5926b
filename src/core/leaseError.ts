/**
 * Every way in which something is broken (blocked is a value, not an error). Codes that the lease protocol
 * itself has keep its spelling; callers branch on the code, never on the text.
 */
export const LEASE_ERROR_CODES = [
  // The lease protocol's own codes.
  'FENCING_TOKEN_STALE',
  'LEASE_CHECKOUT_SCOPE_AMBIGUOUS',
  'LEASE_EXPIRED',
  'LEASE_OWNER_CHECKOUT_MISMATCH',
  'LEASE_OWNER_REPOSITORY_MISMATCH',
  'LEASE_REPOSITORY_SCOPE_MISMATCH',
  'LEASE_SET_FENCE_MISMATCH',
  'LEASE_SET_INVALID',
  'LEASE_SET_MISMATCH',
  'LEASE_WORK_SCOPE_AMBIGUOUS',
  'LEASE_WORK_SCOPE_INCOMPLETE',
  'LOCK_HELD',
  'LOCK_KEY_INVALID',
  'LOCK_OWNERSHIP_MISMATCH',
  'MUTATION_OWNERSHIP_LOST',
  'MUTATION_OWNER_CHECKOUT_MISMATCH',
  'MUTATION_OWNER_REPOSITORY_MISMATCH',
  // Ours.
  'CANCELLED',
  'COUNTER_UNREADABLE',
  'GIT_FAILED',
  'LEASE_OWNER_HOLDS_ALREADY',
  'LEASE_UNREADABLE',
  'LOCK_OUTLIVED',
  'LOCK_UNREADABLE',
  'REGISTRY_UNREADABLE',
  'REPOSITORY_ID_INVALID',
  'STORAGE_FAILED',
  'TIME_TO_LIVE_INVALID',
  'WRITER_FENCED',
] as const;

export type LeaseErrorCode = (typeof LEASE_ERROR_CODES)[number];

export class LeaseError extends Error {
  constructor(
    readonly code: LeaseErrorCode,
    /** What happened, without the code. */
    readonly detail: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${code}: ${detail}`, options);
    this.name = 'LeaseError';
  }
}

/** The `code` of a Node error (`ENOENT`, ...) or of ours. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
