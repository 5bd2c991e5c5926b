import type { LeaseFile } from '../leases/leaseDirectory';
import type { LeasePicture, RepositoryPicture } from './leasePicture';

export interface LeaseChange {
  readonly kind: 'appeared' | 'renewed' | 'gone';
  readonly repository: RepositoryPicture;
  readonly lease: LeaseFile;
}

/**
 * What differs between two pictures of one home, lease by lease. A repository that is not looked at any more, and a file
 * that cannot be read any more, say nothing about who holds what.
 */
export function pictureDiff(before: LeasePicture, after: LeasePicture): readonly LeaseChange[] {
  if (before.home.path !== after.home.path) return [];
  const old = new Map(before.repositories.map(repository => [repository.repoId, repository]));
  const changes: LeaseChange[] = [];
  for (const repository of after.repositories) {
    const known = old.get(repository.repoId);
    if (known && known !== repository) changes.push(...repositoryDiff(known, repository));
  }
  return changes;
}

function repositoryDiff(before: RepositoryPicture, after: RepositoryPicture): LeaseChange[] {
  const old = new Map(before.leases.map(lease => [lease.file, lease]));
  const changes: LeaseChange[] = [];
  for (const lease of after.leases) {
    const known = old.get(lease.file);
    old.delete(lease.file);
    if (known !== lease) changes.push({ kind: known ? 'renewed' : 'appeared', repository: after, lease });
  }
  for (const { file } of after.unreadable) old.delete(file);
  for (const lease of old.values()) changes.push({ kind: 'gone', repository: after, lease });
  return changes;
}
