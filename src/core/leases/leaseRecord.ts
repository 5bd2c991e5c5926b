import * as z from 'zod/mini';

/** ISO text as `Date.toISOString` writes it, expanded years included; `Date.parse` alone takes far too much. */
const time = z
  .string()
  .check(
    z.refine(
      text => /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && Number.isFinite(Date.parse(text)),
    ),
  );

const ownerIdentitySchema = z.object({
  repositoryId: z.string(),
  checkoutId: z.string(),
  worktreeId: z.string(),
  branch: z.string(),
  principalId: z.string(),
  controllerInstanceId: z.string(),
  controllerGeneration: z.string(),
});

/** One execution lease as it lies on disk; the fields stand in the order in which they are written. */
export const leaseSchema = z.object({
  schemaVersion: z.literal(1),
  /** Also the name of its file, without `.json`. */
  leaseId: z.string().check(z.minLength(1)),
  repoId: z.string(),
  checkoutId: z.optional(z.string()),
  workId: z.optional(z.string()),
  /** Exactly as claimed. */
  resourceKey: z.string(),
  /** `read`, `write` or `exclusive`; any other word acts as a writer. */
  mode: z.string(),
  /** `JOB-...` worker, `fast:...` gate, `process:...`, `plugin:...`. */
  ownerJobId: z.string(),
  /** Absent in records from before it existed, as are its digest and the visibility. */
  ownerIdentity: z.optional(ownerIdentitySchema),
  ownerIdentityDigest: z.optional(z.string()),
  /** Grows with every grant of this literal resource key. */
  fencingToken: z.number().check(z.int(), z.minimum(1)),
  acquiredAt: time,
  expiresAt: time,
  heartbeatAt: time,
  /** Absent means durable. */
  visibility: z.optional(z.enum(['durable', 'ephemeral'])),
});

export type LeaseRecord = Readonly<z.infer<typeof leaseSchema>>;
export type OwnerIdentity = Readonly<z.infer<typeof ownerIdentitySchema>>;
