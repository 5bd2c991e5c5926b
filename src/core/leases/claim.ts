import { parseResource, type Resource } from './resource';
import { resourcesOverlap } from './resourceOverlap';

/** How a claim uses its resource. Other words are accepted from disk and act as a writer. */
export type ClaimMode = 'read' | 'write' | 'exclusive';

/** What an owner asks for: a resource and how it will use it. */
export interface Claim {
  readonly resourceKey: string;
  readonly mode: ClaimMode;
  readonly repoId?: string;
  readonly checkoutId?: string;
  readonly workId?: string;
}

/** The part of a claim or of a lease that decides about conflicts. */
export interface ClaimedResource {
  readonly resourceKey: string;
  readonly mode: string;
}

const STRENGTH = { read: 0, write: 1, exclusive: 2 } as const satisfies Record<ClaimMode, number>;

/** Whether two owners may not hold these at the same time. Symmetric. */
export function claimsConflict(left: ClaimedResource, right: ClaimedResource): boolean {
  return resourcesConflict(parseResource(left.resourceKey), left.mode, parseResource(right.resourceKey), right.mode);
}

/** The same for keys that are taken apart already. Two releases never go together; one goes with readers only. */
export function resourcesConflict(a: Resource, modeA: string, b: Resource, modeB: string): boolean {
  if (a.kind === 'release') return b.kind === 'release' || modeB !== 'read';
  if (b.kind === 'release') return modeA !== 'read';
  return (modeA !== 'read' || modeB !== 'read') && resourcesOverlap(a, b);
}

/**
 * Merges a claim list: one claim per resource, the strongest mode, in the order first named. An empty list asks for
 * the whole content of the repository, or for nothing when the caller only reads.
 */
export function normalizeClaims(claims: readonly Claim[], options: { readonly readOnly?: boolean } = {}): Claim[] {
  if (claims.length === 0) return options.readOnly ? [] : [{ resourceKey: 'repo-content:*', mode: 'write' }];
  const merged = new Map<string, Claim>();
  for (const claim of claims) {
    const resourceKey = parseResource(claim.resourceKey).key;
    if (resourceKey === '') continue;
    const known = merged.get(resourceKey);
    if (!known || STRENGTH[known.mode] < STRENGTH[claim.mode]) merged.set(resourceKey, { ...claim, resourceKey });
  }
  return [...merged.values()];
}
