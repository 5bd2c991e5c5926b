import { mutationClaims, type Ownership } from '../../src/core/gate/mutationClaims';
import { type Claim, claimsConflict, normalizeClaims } from '../../src/core/leases/claim';
import { claimPathsOverlap, normalizeClaimPath } from '../../src/core/leases/claimPath';
import { agreement } from './agreement';
import type { CheckVector } from './kinds';

type ConflictRow = readonly [keyA: string, modeA: string, keyB: string, modeB: string, conflict: boolean];

/** The relation is symmetric, so each row is asked in both directions. */
const conflict: CheckVector = vector => {
  const [keyA, modeA, keyB, modeB, expected] = vector as ConflictRow;
  const a = { resourceKey: keyA, mode: modeA };
  const b = { resourceKey: keyB, mode: modeB };
  return agreement([claimsConflict(a, b), claimsConflict(b, a)], [expected, expected]);
};

export const claimKinds: readonly (readonly [string, CheckVector])[] = [
  ['claims-conflict-modes', conflict],
  ['claims-conflict-rotating-1', conflict],
  ['claims-conflict-rotating-2', conflict],
  ['claims-conflict-write-1', conflict],
  ['claims-conflict-write-2', conflict],
  [
    'path-normalize',
    vector => {
      const [path, normalized] = vector as [string, string | null];
      return agreement(normalizeClaimPath(path), normalized);
    },
  ],
  [
    'path-overlap',
    vector => {
      const [left, right, overlap] = vector as [string, string, boolean];
      return agreement([claimPathsOverlap(left, right), claimPathsOverlap(right, left)], [overlap, overlap]);
    },
  ],
  [
    'normalize-claims',
    vector => {
      const [claims, options, expected] = vector as [Claim[], { readOnly?: boolean }, Claim[]];
      return agreement(normalizeClaims(claims, options), expected);
    },
  ],
  [
    'mutation-claims',
    vector => {
      const { checkoutId, ownership, claims } = vector as {
        checkoutId: string;
        ownership: Ownership;
        claims: [string, string][];
      };
      const ours = mutationClaims('repo_a', checkoutId, ownership);
      return agreement(
        ours.map(claim => [claim.resourceKey, claim.mode]),
        claims,
      );
    },
  ],
];
