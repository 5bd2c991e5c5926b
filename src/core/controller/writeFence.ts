import path from 'node:path';
import { codeOf } from '../leaseError';
import type { FileSystem } from '../storage/fileSystem';

/** Files by which a live agent runtime reserves a controller home for its own writers (protocol). */
const FENCES = [
  { file: path.join('runtime', 'active-runtime-owner.json'), what: 'an agent runtime owns it' },
  { file: path.join('runtime', 'releases', 'authority.json'), what: 'a release authority governs it' },
] as const;

export type WriteFence = { readonly fenced: false } | { readonly fenced: true; readonly reason: string };

/**
 * Whether a runtime fences writers out of this home. We hold no write claim of such a runtime, so any sign of a fence
 * keeps us from writing, also one that cannot be read.
 */
export function readWriteFence(fileSystem: FileSystem, home: string): WriteFence {
  for (const { file, what } of FENCES) {
    try {
      fileSystem.lstatSync(path.join(home, file));
      return { fenced: true, reason: what };
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return { fenced: true, reason: `${file} cannot be read (${code})` };
    }
  }
  return { fenced: false };
}
