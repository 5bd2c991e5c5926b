import { createHash } from 'node:crypto';

/** The id of a repository that has a remote: 24 hex of SHA-256 over `remote`, NUL and the canonical remote. */
export function remoteRepositoryId(canonicalRemote: string): string {
  return `repo_${digest('remote', canonicalRemote)}`;
}

/** The id of a checkout; `root` is the real path of its top level. */
export function checkoutId(repoId: string, root: string): string {
  return `checkout_${digest(repoId, root)}`;
}

export function worktreeId(repoId: string, root: string): string {
  return `worktree_${digest(repoId, root)}`;
}

function digest(left: string, right: string): string {
  return createHash('sha256').update(`${left}\0${right}`).digest('hex').slice(0, 24);
}
