import type { Resource, ResourceKind } from './resource';

/** The order in which an owner's resources are named: what covers most comes first. */
const ORDER: readonly ResourceKind[] = ['content', 'workspace', 'index', 'head', 'ref', 'path', 'release', 'other'];

export function compareResources(a: Resource, b: Resource): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
