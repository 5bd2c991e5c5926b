import path from 'node:path';
import { LeaseError } from '../leaseError';
import { safeName } from './safeName';

/** What a controller lock protects; the fields that a scope does not name are ignored. */
export interface LockKey {
  readonly scope: 'global' | 'repository' | 'task' | 'run' | 'worktree';
  readonly repoId?: string;
  readonly taskId?: string;
  readonly runId?: string;
  readonly worktreeId?: string;
  readonly resource?: string;
}

const BELOW_REPOSITORY = {
  task: { directory: 'tasks', field: 'taskId' },
  run: { directory: 'runs', field: 'runId' },
  worktree: { directory: 'worktrees', field: 'worktreeId' },
} as const satisfies Partial<Record<LockKey['scope'], { directory: string; field: keyof LockKey }>>;

/** The reserved repository id of the controller itself; its files lie in `<home>/system`. */
export const CONTROLLER_REPOSITORY_ID = '__controller__';

export function lockPath(home: string, key: LockKey): string {
  if (key.scope === 'global') {
    const resource = key.resource?.trim();
    return resource
      ? path.join(home, 'locks', 'global', `${safeName(resource)}.lock.json`)
      : path.join(home, 'locks', 'controller.lock.json');
  }
  const repoId = required(key, 'repoId');
  const root =
    repoId === CONTROLLER_REPOSITORY_ID ? path.join(home, 'system') : path.join(home, 'repositories', safeName(repoId));
  if (key.scope === 'repository') return path.join(root, 'locks', 'repository.lock.json');
  const { directory, field } = BELOW_REPOSITORY[key.scope];
  return path.join(root, 'locks', directory, `${safeName(required(key, field))}.lock.json`);
}

function required(key: LockKey, field: 'repoId' | 'taskId' | 'runId' | 'worktreeId'): string {
  const value = key[field]?.trim();
  if (!value) throw new LeaseError('LOCK_KEY_INVALID', `${field} is required`);
  return value;
}
