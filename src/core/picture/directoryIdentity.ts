import type { FileSystem } from '../storage/fileSystem';

/**
 * Tells a directory from another one in the same place; empty when there is none. A directory that is made right after
 * another one was removed often gets its number, so the time of its making counts as well.
 */
export function directoryIdentity(fileSystem: FileSystem, directory: string): string {
  try {
    const { dev, ino, birthtimeMs } = fileSystem.lstatSync(directory);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return '';
  }
}
