/** A name as it may stand in a lock file's path: each run of other characters becomes one hyphen. */
export function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return safe === '' ? 'unknown' : safe;
}
