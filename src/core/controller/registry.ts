import path from 'node:path';
import * as z from 'zod/mini';
import type { FileSystem } from '../storage/fileSystem';
import { readRecord } from '../storage/recordFile';
import { isSafeRepositoryId } from './repositoryPaths';

const checkoutSchema = z.object({
  checkoutId: z.string().check(z.minLength(1)),
  /** Real path of the checkout's top level. */
  canonicalRoot: z.string(),
  /** True for a linked worktree. */
  worktree: z.optional(z.boolean()),
  branch: z.optional(z.nullable(z.string())),
  /** Absent means active. */
  lifecycle: z.optional(z.string()),
});

const repositorySchema = z.object({
  repoId: z.string().check(z.refine(isSafeRepositoryId)),
  displayName: z.optional(z.string()),
  canonicalRoot: z.string(),
  checkouts: z.array(checkoutSchema),
  removedAt: z.optional(z.nullable(z.string())),
});

const registrySchema = z.object({ schemaVersion: z.literal(1), repositories: z.array(z.unknown()) });

export type RegisteredCheckout = z.infer<typeof checkoutSchema>;
export type RegisteredRepository = z.infer<typeof repositorySchema>;

/** What a home's `repositories.json` says. Unreadable is not absent: which repositories there are is then unknown. */
export type RegistryRead =
  | {
      readonly kind: 'read';
      readonly file: string;
      readonly repositories: readonly RegisteredRepository[];
      readonly invalidEntries: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly file: string; readonly reason: string };

export function registryFile(home: string): string {
  return path.join(home, 'repositories.json');
}

/** Reads the registry; an entry that is not valid is counted and left out, the others stay. */
export function readRegistry(fileSystem: FileSystem, home: string): RegistryRead {
  const file = registryFile(home);
  const read = readRecord(fileSystem, file, registrySchema);
  if (read.kind === 'absent') return read;
  if (read.kind === 'unreadable') return { kind: 'unreadable', file, reason: read.reason };
  const parsed = read.record.repositories.map(entry => repositorySchema.safeParse(entry));
  const valid = parsed.flatMap(result => (result.success ? [result.data] : []));
  const repositories = valid
    .filter(repository => !repository.removedAt)
    .map(repository => ({ ...repository, checkouts: repository.checkouts.filter(isActive) }));
  return { kind: 'read', file, repositories, invalidEntries: parsed.length - valid.length };
}

function isActive(checkout: RegisteredCheckout): boolean {
  return checkout.lifecycle === undefined || checkout.lifecycle === 'active';
}
