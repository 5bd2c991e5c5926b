import { constants } from 'node:fs';
import { codeOf } from '../leaseError';
import type { FileSystem } from './fileSystem';

/** What a file of the controller home gave. Unreadable is never absent: it may stand for a holder. */
export type TextRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export type RecordRead<T> =
  | { readonly kind: 'record'; readonly record: T; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A schema as `zod` makes them, by the one method that is used. */
export interface RecordSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly SchemaIssue[] } };
}

export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Larger than any record of the protocol (a lease is under 2 KB); a larger file is unreadable, not a reason to stall. */
const LARGEST_RECORD_BYTES = 4 * 1024 * 1024;

/** Neither follows a symbolic link nor waits for the other end of a pipe (both flags are absent on Windows). */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
  EMLINK: 'it is a symbolic link',
};

export function readText(fileSystem: FileSystem, file: string): TextRead {
  let descriptor: number | undefined;
  try {
    descriptor = fileSystem.openSync(file, READ_FLAGS);
    const stats = fileSystem.fstatSync(descriptor);
    if (stats.isDirectory()) return { kind: 'unreadable', reason: 'it is a directory' };
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    if (stats.size > LARGEST_RECORD_BYTES) return { kind: 'unreadable', reason: `it is larger than 4 MiB` };
    return { kind: 'text', text: fileSystem.readFileSync(descriptor, 'utf8') };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { kind: 'absent' };
    return { kind: 'unreadable', reason: REASONS[code ?? ''] ?? `it cannot be read (${code ?? String(error)})` };
  } finally {
    if (descriptor !== undefined) close(fileSystem, descriptor);
  }
}

/** Of a file that was only read, closing can lose nothing; what was read counts. */
function close(fileSystem: FileSystem, descriptor: number): void {
  try {
    fileSystem.closeSync(descriptor);
  } catch {
    // The descriptor is gone either way.
  }
}

export function parseRecord<T>(text: string, schema: RecordSchema<T>): RecordRead<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', reason: text.trim() === '' ? 'it is empty' : 'it is not valid JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'record', record: parsed.data, text };
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.');
  return { kind: 'unreadable', reason: where ? `${where} is missing or not valid` : 'it is not such a record' };
}

export function readRecord<T>(fileSystem: FileSystem, file: string, schema: RecordSchema<T>): RecordRead<T> {
  const read = readText(fileSystem, file);
  return read.kind === 'text' ? parseRecord(read.text, schema) : read;
}
