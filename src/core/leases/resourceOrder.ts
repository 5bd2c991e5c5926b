import type { Resource, ResourceKind } from './resource';

/** The order in which an owner's resources are named: what covers most comes first. */
const RANK: Readonly<Record<ResourceKind, number>> = {
  content: 0,
  workspace: 1,
  index: 2,
  head: 3,
  ref: 4,
  path: 5,
  release: 6,
  other: 7,
};

export function compareResources(a: Resource, b: Resource): number {
  return RANK[a.kind] - RANK[b.kind] || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
