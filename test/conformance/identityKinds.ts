import { mutationIdentity } from '../../src/core/gate/mutationClaims';
import type { Claim } from '../../src/core/leases/claim';
import type { OwnerIdentity } from '../../src/core/leases/leaseRecord';
import { acquiringIdentity, ownerIdentityDigest } from '../../src/core/leases/ownerIdentity';
import { agreement, resultOrError } from './agreement';
import type { CheckVector } from './kinds';

interface OwnerVector {
  readonly repoId: string;
  readonly ownerJobId: string;
  readonly claims: readonly Claim[];
  readonly provided: Partial<OwnerIdentity> | null;
  readonly env: Record<string, string>;
  readonly identity?: OwnerIdentity;
  readonly digest?: string | null;
  readonly samplePid?: number;
  readonly sampleDigest?: string;
  readonly error?: string;
  /** Present where nothing was claimed: then no lease tells of an identity. */
  readonly leases?: number;
}

interface MutationVector {
  readonly repoId: string;
  readonly checkoutId: string;
  readonly owner: string;
  readonly ownerIdentity: Partial<OwnerIdentity> | null;
  readonly identity?: OwnerIdentity;
  readonly error?: string;
}

/** How vectors write the process id of whoever made them. */
const anyProcess = (identity: OwnerIdentity, processId: number): OwnerIdentity =>
  identity.controllerInstanceId === `process:${processId}`
    ? { ...identity, controllerInstanceId: 'process:<pid>' }
    : identity;

export const identityKinds: readonly (readonly [string, CheckVector])[] = [
  [
    'owner-identity',
    vector => {
      const expected = vector as OwnerVector;
      const processId = expected.samplePid ?? 4711;
      const ours = resultOrError(() =>
        acquiringIdentity(expected.repoId, expected.claims, {
          owner: expected.ownerJobId,
          provided: expected.provided ?? undefined,
          environment: expected.env,
          processId,
        }),
      );
      if ('error' in ours || expected.error !== undefined) return agreement(ours, { error: expected.error });
      if (expected.leases === 0) return undefined;
      return agreement(
        [anyProcess(ours.result, processId), ownerIdentityDigest(ours.result)],
        [expected.identity, expected.digest ?? expected.sampleDigest],
      );
    },
  ],
  [
    'mutation-identity',
    vector => {
      const expected = vector as MutationVector;
      const { repoId, checkoutId, owner } = expected;
      const provided = expected.ownerIdentity ?? undefined;
      const request = { repoId, checkoutId, owner, provided, environment: {}, processId: 4711 };
      const ours = resultOrError(() => anyProcess(mutationIdentity(request), 4711));
      return agreement(ours, expected.error === undefined ? { result: expected.identity } : { error: expected.error });
    },
  ],
];
