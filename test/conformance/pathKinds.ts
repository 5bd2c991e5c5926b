import * as path from 'node:path';
import { type LockKey, lockPath } from '../../src/core/controller/lockPath';
import { canonicalRemote } from '../../src/core/controller/remoteUrl';
import { checkoutId, remoteRepositoryId, worktreeId } from '../../src/core/controller/repositoryIds';
import { safeName } from '../../src/core/controller/safeName';
import { counterFileName } from '../../src/core/leases/fencingCounter';
import { agreement, resultOrError } from './agreement';
import type { CheckVector } from './kinds';

const HOME = path.resolve('/home/dev/controller');

export const pathKinds: readonly (readonly [string, CheckVector])[] = [
  [
    'safe-name',
    vector => {
      const [name, safe] = vector as [string, string];
      return agreement(safeName(name), safe);
    },
  ],
  [
    'lock-path',
    vector => {
      const { key, path: expected, error } = vector as { key: LockKey; path?: string; error?: string };
      const ours = resultOrError(() => path.relative(HOME, lockPath(HOME, key)));
      return agreement(ours, error === undefined ? { result: expected } : { error });
    },
  ],
  [
    'counter-file',
    vector => {
      const [resourceKey, file] = vector as [string, string, string];
      return agreement(counterFileName(resourceKey), file);
    },
  ],
  [
    'checkout-id',
    vector => {
      const [repoId, root, checkout, worktree] = vector as [string, string, string, string];
      return agreement([checkoutId(repoId, root), worktreeId(repoId, root)], [checkout, worktree]);
    },
  ],
  [
    'remote-url',
    vector => {
      const { url, canonical, repoId } = vector as { url: string; canonical: string | null; repoId?: string | null };
      const ours = canonicalRemote(url);
      return agreement(
        [ours ?? null, ours === undefined ? null : remoteRepositoryId(ours)],
        [canonical, repoId ?? null],
      );
    },
  ],
];
