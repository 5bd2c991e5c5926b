/** Normal form of a path inside a claim; null where two paths cannot be compared and must be taken to overlap. */
export function normalizeClaimPath(claimed: string): string | null {
  const slashed = claimed.replaceAll('\\', '/').replace(/^\.\//, '');
  if (slashed.startsWith('/') || slashed.startsWith('~/') || slashed.includes('\0')) return null;
  const segments = slashed.split('/').filter(segment => segment !== '' && segment !== '.');
  const incomparable = segments.some(segment => segment === '..' || segment === '*' || segment.includes('->'));
  return incomparable || segments.length === 0 ? null : segments.join('/');
}

/** True when one path equals the other, lies below it, or cannot be compared. No case folding, no other globs. */
export function claimPathsOverlap(left: string, right: string): boolean {
  const a = directoryOf(left);
  const b = directoryOf(right);
  if (a === null || b === null) return true;
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** The normal form without a closing `*` or `**`. */
function directoryOf(claimed: string): string | null {
  return (
    normalizeClaimPath(claimed)
      ?.replace(/\*{1,2}$/, '')
      .replace(/\/$/, '') ?? null
  );
}
