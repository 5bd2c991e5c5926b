import { plainText } from '../plainText';
import type { Resource, ResourceKind } from './resource';

const WORDS: Partial<Record<ResourceKind, string>> = {
  workspace: 'workspace',
  index: 'index',
  head: 'head',
  content: 'all content',
};

/** A resource in the words that people use; keys of other kinds are shown as they are. */
export function resourceWords(resource: Resource): string {
  if (resource.kind === 'path') return plainText(resource.path) || 'all paths';
  if (resource.kind === 'ref')
    return resource.ref.startsWith('refs/') ? plainText(resource.ref) : `ref ${plainText(resource.ref)}`;
  return WORDS[resource.kind] ?? plainText(resource.key);
}
