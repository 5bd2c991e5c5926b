import type { FileSystem } from '../storage/fileSystem';

/** Tells a directory from another one in the same place; empty when there is none. */
export function directoryIdentity(fileSystem: FileSystem, directory: string): string {
  try {
    const { dev, ino } = fileSystem.lstatSync(directory);
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}
