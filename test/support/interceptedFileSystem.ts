import { type FileSystem, nodeFileSystem } from '../../src/core/storage/fileSystem';
import type { FileOperation } from './failingFileSystem';

export interface FileCall {
  readonly operation: FileOperation;
  readonly args: readonly unknown[];
}

/** Node's file system with something done before every call; `false` leaves the call out, as a crash before it would. */
export function interceptedFileSystem(before: (call: FileCall) => boolean): FileSystem {
  return new Proxy({} as FileSystem, {
    get: (_target, operation: FileOperation) => {
      const real = nodeFileSystem[operation] as (...args: readonly unknown[]) => unknown;
      return (...args: readonly unknown[]) => (before({ operation, args }) ? real(...args) : undefined);
    },
  });
}
