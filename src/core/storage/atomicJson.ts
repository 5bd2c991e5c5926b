import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { codeOf, LeaseError } from '../leaseError';
import type { FileSystem } from './fileSystem';

/** A record as the protocol writes it: two-space indented JSON and one line feed. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The name under which a file is complete before it gets its own; readers look at `.json` only. */
export function temporaryPath(file: string): string {
  return `${file}.${process.pid}.${randomUUID()}.tmp`;
}

/**
 * Replaces a file whole or not at all. `beforeRename` is the last moment to refuse: when it throws, nothing changes.
 * Not synced to the medium: a power cut may lose it, as it may with every other writer of these directories.
 */
export function writeAtomically(
  fileSystem: FileSystem,
  file: string,
  text: string,
  beforeRename: () => void = () => {},
): void {
  const temporary = temporaryPath(file);
  try {
    createFile(fileSystem, temporary, text);
    beforeRename();
    fileSystem.renameSync(temporary, file);
  } catch (error) {
    removeOwn(fileSystem, temporary);
    if (error instanceof LeaseError) throw error;
    throw new LeaseError('STORAGE_FAILED', `${file} could not be written (${codeOf(error)}).`, { cause: error });
  }
}

/** Creates a file that does not exist yet, and the directories above it only when they are missing. */
export function createFile(fileSystem: FileSystem, file: string, text: string): void {
  try {
    fileSystem.writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    fileSystem.mkdirSync(path.dirname(file), { recursive: true });
    fileSystem.writeFileSync(file, text, { flag: 'wx' });
  }
}

/** Removes a file that this call made; one that is gone already, or cannot be removed, changes nothing more. */
export function removeOwn(fileSystem: FileSystem, file: string): void {
  try {
    fileSystem.unlinkSync(file);
  } catch {
    // The error that led here is the one to report.
  }
}
