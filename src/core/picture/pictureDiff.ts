import type { LeaseFile } from '../leases/leaseDirectory';
import type { LeasePicture, RepositoryPicture } from './leasePicture';

export interface LeaseChange {
  readonly kind: 'appeared' | 'renewed' | 'gone';
  readonly repository: RepositoryPicture;
  readonly lease: LeaseFile;
}

/** What differs between two pictures, lease by lease, in the order of the pictures. */
export function pictureDiff(before: LeasePicture, after: LeasePicture): readonly LeaseChange[] {
  const old = new Map(before.repositories.map(repository => [repository.repoId, repository]));
  const changes: LeaseChange[] = [];
  for (const repository of after.repositories) {
    const known = old.get(repository.repoId);
    old.delete(repository.repoId);
    if (known !== repository) changes.push(...repositoryDiff(known, repository));
  }
  for (const repository of old.values()) changes.push(...repositoryDiff(repository, { ...repository, leases: [] }));
  return changes;
}

function repositoryDiff(before: RepositoryPicture | undefined, after: RepositoryPicture): LeaseChange[] {
  const old = new Map(before?.leases.map(lease => [lease.file, lease]));
  const changes: LeaseChange[] = [];
  for (const lease of after.leases) {
    const known = old.get(lease.file);
    old.delete(lease.file);
    if (known !== lease) changes.push({ kind: known ? 'renewed' : 'appeared', repository: after, lease });
  }
  for (const lease of old.values()) changes.push({ kind: 'gone', repository: after, lease });
  return changes;
}
