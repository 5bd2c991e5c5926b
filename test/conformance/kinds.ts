import { claimKinds } from './claimKinds';
import { identityKinds } from './identityKinds';
import { pathKinds } from './pathKinds';
import { treeKinds } from './treeKinds';

/** Runs one vector; undefined when ours agrees, else what ours gave. */
export type CheckVector = (vector: unknown) => string | undefined;

/** Every kind that is known, by name. */
export const KINDS: ReadonlyMap<string, CheckVector> = new Map([
  ...claimKinds,
  ...identityKinds,
  ...pathKinds,
  ...treeKinds,
]);
