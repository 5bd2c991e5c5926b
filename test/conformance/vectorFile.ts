import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

/** A file of golden vectors: made by running the other program, so it is right where a text disagrees. */
export interface VectorFile {
  readonly name: string;
  readonly kind: string;
  /** `vectors`, or the file trees of a `tree-*` kind. */
  readonly vectors: readonly unknown[];
}

/** Every vector file in a directory; files that are not JSON are not vectors, JSON that is not one is an error. */
export function readVectorFiles(directory: string): VectorFile[] {
  return readdirSync(directory)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => {
      const content: unknown = JSON.parse(readFileSync(path.join(directory, name), 'utf8'));
      const { kind, vectors, trees } = content as { kind?: unknown; vectors?: unknown; trees?: unknown };
      const rows = vectors ?? trees;
      if (typeof kind !== 'string' || !Array.isArray(rows)) throw new Error(`${name} is not a vector file.`);
      return { name, kind, vectors: rows };
    });
}
