import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod/mini';
import { LeaseError } from '../leaseError';
import { jsonText, writeAtomically } from '../storage/atomicJson';
import type { FileSystem } from '../storage/fileSystem';
import { readRecord } from '../storage/recordFile';

const counterSchema = z.object({ value: z.number().check(z.int(), z.minimum(0)) });

/** One file for each literal key: no trimming, no rewriting of older spellings. */
export function counterFileName(resourceKey: string): string {
  return `${createHash('sha256').update(resourceKey).digest('hex')}.json`;
}

/**
 * Draws the next fencing token of a resource key, under the repository lock. Tokens never fall: `highestSeen` is the
 * highest token known from elsewhere, and a counter that cannot be read is an error, never a restart at 1.
 */
export function nextFencingToken(
  fileSystem: FileSystem,
  countersDirectory: string,
  resourceKey: string,
  highestSeen: number,
  updatedAt: string,
  assertHeld: () => void,
): number {
  const file = path.join(countersDirectory, counterFileName(resourceKey));
  const read = readRecord(fileSystem, file, counterSchema);
  if (read.kind === 'unreadable') {
    throw new LeaseError('COUNTER_UNREADABLE', `the counter ${file} of ${resourceKey} cannot be used: ${read.reason}.`);
  }
  const value = Math.max(read.kind === 'record' ? read.record.value : 0, highestSeen) + 1;
  if (!Number.isSafeInteger(value)) {
    throw new LeaseError('COUNTER_UNREADABLE', `no exact number follows in the counter ${file} of ${resourceKey}.`);
  }
  writeAtomically(fileSystem, file, jsonText({ value, resourceKey, updatedAt }), assertHeld);
  return value;
}
