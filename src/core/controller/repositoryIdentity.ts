import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FileSystem } from '../storage/fileSystem';
import { findGitCheckout, type GitCheckout, originUrl } from './gitCheckout';
import type { RegisteredRepository } from './registry';
import { canonicalRemote } from './remoteUrl';
import { checkoutId, remoteRepositoryId, worktreeId } from './repositoryIds';

/** Which repository and checkout of the lease protocol a directory belongs to. */
export interface RepositoryIdentity {
  readonly repoId: string;
  readonly checkoutId: string;
  readonly worktreeId: string;
  readonly displayName: string;
  /** False when the registry does not know it: then the agents do not honour its leases. */
  readonly registered: boolean;
  readonly checkout: GitCheckout;
}

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly realPath: (file: string) => string;
}

/**
 * Identifies a checkout by the registry: by the path of a registered checkout, else (a linked worktree) by the git
 * directory that it shares with one. An unregistered repository gets its id from its remote `origin`, else from the
 * real path of the shared git directory, so that two windows agree. Ids that a checkout's own files claim are not read.
 */
export function identifyRepository(
  checkout: GitCheckout,
  repositories: readonly RegisteredRepository[],
  dependencies: Dependencies,
): RepositoryIdentity {
  const registered = findRegistered(checkout, repositories, dependencies);
  const repoId = registered?.repoId ?? unregisteredId(checkout, dependencies.fileSystem);
  const known = registered?.checkouts.find(candidate => candidate.canonicalRoot === checkout.root);
  return {
    repoId,
    checkoutId: known?.checkoutId ?? checkoutId(repoId, checkout.root),
    worktreeId: worktreeId(repoId, checkout.root),
    displayName: registered?.displayName || path.basename(checkout.root),
    registered: registered !== undefined,
    checkout,
  };
}

function findRegistered(
  checkout: GitCheckout,
  repositories: readonly RegisteredRepository[],
  dependencies: Dependencies,
): RegisteredRepository | undefined {
  const byPath = repositories.find(
    ({ canonicalRoot, checkouts }) =>
      canonicalRoot === checkout.root || checkouts.some(candidate => candidate.canonicalRoot === checkout.root),
  );
  if (byPath || !checkout.linked) return byPath;
  const sharing = ({ canonicalRoot }: RegisteredRepository) =>
    findGitCheckout(canonicalRoot, dependencies)?.commonDirectory === checkout.commonDirectory;
  const candidates = repositories.filter(sharing);
  return candidates.find(({ canonicalRoot }) => !findGitCheckout(canonicalRoot, dependencies)?.linked) ?? candidates[0];
}

function unregisteredId(checkout: GitCheckout, fileSystem: FileSystem): string {
  const url = originUrl(checkout.commonDirectory, fileSystem);
  const remote = url === undefined ? undefined : canonicalRemote(url);
  if (remote !== undefined) return remoteRepositoryId(remote);
  return `repo_local_${createHash('sha256').update(checkout.commonDirectory).digest('hex').slice(0, 32)}`;
}
