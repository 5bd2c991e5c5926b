import path from 'node:path';
import { FSWatcher } from 'chokidar';

/** Something below a controller home is not as it was read. What exactly is for the reader to find out. */
export type HomeChange =
  | { readonly kind: 'everything' }
  | { readonly kind: 'repository'; readonly repoId: string }
  | { readonly kind: 'lease'; readonly repoId: string; readonly name: string }
  | { readonly kind: 'lock'; readonly repoId: string };

export interface HomeWatchRequest {
  readonly home: string;
  readonly repoIds: readonly string[];
  readonly onChange: (change: HomeChange) => void;
  /** Every change from now on is told; what happened while the watcher started was not. */
  readonly onReady: () => void;
  /** The watcher cannot tell of every change (any more); the caller should dispose it and read by itself. */
  readonly onFailure: (reason: string) => void;
}

/** Starts watching; dispose it to stop. */
export type WatchHome = (request: HomeWatchRequest) => { dispose(): void };

/**
 * Watches directories only (one inotify watch each): the home, `repositories`, and for each repository its own,
 * `leases`, `leases/active` and `locks`. The raw events of a directory name the file that changed.
 */
export const watchHome: WatchHome = ({ home, repoIds, onChange, onReady, onFailure }) => {
  const wanted = new Set(repoIds);
  const watcher = new FSWatcher({
    ignoreInitial: true,
    atomic: false,
    depth: 4,
    ignored: (file, stats) => stats?.isFile() === true || !isWatched(path.relative(home, file), wanted),
  });
  // A variable of the environment (CHOKIDAR_USEPOLLING) would win over an option: set after the construction, it stays.
  watcher.options = { ...watcher.options, usePolling: false };
  watcher.on('raw', (_event, name: string | null, details) => {
    const { watchedPath = home } = details as { readonly watchedPath?: string };
    const change = changeOf(path.relative(home, watchedPath), name ?? undefined, wanted, home);
    if (change) onChange(change);
  });
  watcher.on('addDir', directory => onChange(directoryChange(path.relative(home, directory))));
  watcher.on('ready', onReady);
  watcher.on('error', error => onFailure(reasonOf(error)));
  watcher.add(home);
  return { dispose: () => void watcher.close().catch(() => undefined) };
};

function isWatched(relative: string, repoIds: ReadonlySet<string>): boolean {
  const [top, repoId, area, last, ...deeper] = relative.split(path.sep);
  if (relative === '' || relative === 'repositories') return true;
  if (top !== 'repositories' || repoId === undefined || !repoIds.has(repoId) || deeper.length > 0) return false;
  if (area === undefined) return true;
  return last === undefined ? area === 'leases' || area === 'locks' : area === 'leases' && last === 'active';
}

/** What an event named `name` in the watched directory `relative` means; undefined when it means nothing to us. */
function changeOf(
  relative: string,
  name: string | undefined,
  repoIds: ReadonlySet<string>,
  home: string,
): HomeChange | undefined {
  const [top, repoId = '', area, last] = relative.split(path.sep);
  // A directory's own name means that it was itself moved or removed; no name means that anything may have changed.
  const isOneOf = (...names: string[]) => name === undefined || names.includes(name);
  if (relative === '') {
    return isOneOf('repositories.json', 'repositories', path.basename(home)) ? { kind: 'everything' } : undefined;
  }
  if (top !== 'repositories') return undefined;
  if (repoId === '') return isOneOf(top, ...repoIds) ? { kind: 'everything' } : undefined;
  if (last === 'active' && name?.endsWith('.json')) return { kind: 'lease', repoId, name };
  if (last === 'active') return isOneOf(last) ? { kind: 'repository', repoId } : undefined;
  if (area === 'locks') return isOneOf(area, 'repository.lock.json') ? { kind: 'lock', repoId } : undefined;
  if (area === 'leases') return isOneOf(area, 'active') ? { kind: 'repository', repoId } : undefined;
  return isOneOf(repoId, 'leases', 'locks') ? { kind: 'repository', repoId } : undefined;
}

function directoryChange(relative: string): HomeChange {
  const repoId = relative.split(path.sep)[1];
  return repoId === undefined ? { kind: 'everything' } : { kind: 'repository', repoId };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the system has no file watches left',
  EMFILE: 'too many files are open',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return REASONS[code ?? ''] ?? `the watcher failed (${code ?? String(error)})`;
}
