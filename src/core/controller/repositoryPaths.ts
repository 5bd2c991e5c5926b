import path from 'node:path';
import { LeaseError } from '../leaseError';
import { CONTROLLER_REPOSITORY_ID, lockPath } from './lockPath';
import { safeName } from './safeName';

/** Where the files of one repository lie below a controller home. */
export interface RepositoryPaths {
  readonly root: string;
  readonly activeLeases: string;
  readonly counters: string;
  readonly locks: string;
  readonly lockFile: string;
}

/** True when leases and lock of this id lie in one directory directly below the home (others would leave it). */
export function isSafeRepositoryId(repoId: string): boolean {
  return repoId !== '.' && repoId !== '..' && safeName(repoId) === repoId;
}

export function repositoryPaths(home: string, repoId: string): RepositoryPaths {
  if (!isSafeRepositoryId(repoId)) {
    throw new LeaseError('REPOSITORY_ID_INVALID', `the repository id ${JSON.stringify(repoId)} is not a file name.`);
  }
  const root =
    repoId === CONTROLLER_REPOSITORY_ID ? path.join(home, 'system') : path.join(home, 'repositories', repoId);
  const lockFile = lockPath(home, { scope: 'repository', repoId });
  return {
    root,
    activeLeases: path.join(root, 'leases', 'active'),
    counters: path.join(root, 'leases', 'counters'),
    locks: path.dirname(lockFile),
    lockFile,
  };
}
