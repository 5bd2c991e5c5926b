import type { LeasePicture } from '../../core/picture/leasePicture';

/** Why the tree of active leases has no rows; package.json has a welcome text for each. */
export type EmptyReason =
  | 'reading'
  | 'noRepository'
  | 'noHome'
  | 'ownHome'
  | 'notRegistered'
  | 'problem'
  | 'nothingHeld';

export function emptyReason(picture: LeasePicture, read: boolean): EmptyReason {
  const { home, repositories, problems } = picture;
  if (!read) return 'reading';
  if (problems.length > 0) return 'problem';
  if (home.kind === 'absent') return 'noHome';
  if (repositories.length === 0) return 'noRepository';
  if (home.kind === 'own') return 'ownHome';
  return repositories.some(({ registered }) => registered) ? 'nothingHeld' : 'notRegistered';
}

/** What stands above the rows; undefined when all is as it should be. */
export function viewMessage({ watching, problems }: LeasePicture): string | undefined {
  if (watching.kind === 'polling') {
    return `Polling every ${watching.everyMs / 1000} s, since ${watching.reason}.`;
  }
  return problems.length > 0 ? 'Some of it cannot be read: see Needs Attention.' : undefined;
}
