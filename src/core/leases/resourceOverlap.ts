import { claimPathsOverlap } from './claimPath';
import type { Resource, ResourceKind } from './resource';

/** A rule for two kinds; it is written for one order and asked in both. */
type Rule = (a: Resource, b: Resource) => boolean;

const always: Rule = () => true;
const sameCheckout: Rule = (a, b) => checkoutOf(a) !== '' && checkoutOf(a) === checkoutOf(b);
const pathIn: Rule = (a, b) => checkoutOf(a) !== '' && (checkoutOf(b) === undefined || sameCheckout(a, b));
const paths: Rule = (a, b) => {
  if (a.kind !== 'path' || b.kind !== 'path') return false;
  const apart = a.checkoutId !== undefined && b.checkoutId !== undefined && a.checkoutId !== b.checkoutId;
  return !apart && claimPathsOverlap(a.path, b.path);
};

/** Which different keys overlap; what is not named here meets only an equal key. */
const OVERLAP = {
  content: { path: always, workspace: always, ref: always, index: always, head: always },
  workspace: { workspace: sameCheckout, path: pathIn, index: sameCheckout, head: sameCheckout },
  path: { path: paths },
  ref: { ref: always },
} as const satisfies Partial<Record<ResourceKind, Partial<Record<ResourceKind, Rule>>>>;

const TABLE: Partial<Record<ResourceKind, Partial<Record<ResourceKind, Rule>>>> = OVERLAP;

/** Whether two resources have something in common. Symmetric. */
export function resourcesOverlap(a: Resource, b: Resource): boolean {
  if (a.key === b.key) return true;
  return TABLE[a.kind]?.[b.kind]?.(a, b) ?? TABLE[b.kind]?.[a.kind]?.(b, a) ?? false;
}

function checkoutOf(resource: Resource): string | undefined {
  return 'checkoutId' in resource ? resource.checkoutId : undefined;
}
