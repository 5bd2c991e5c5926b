import { holderName } from '../../core/leases/holderName';

/** Kinds of owner by the form of their id (protocol), with the word and the icon that a person sees. */
const KINDS = [
  { prefix: 'JOB-', kind: 'job', word: 'job', icon: 'hubot' },
  { prefix: 'fast:', kind: 'gate', word: 'gate', icon: 'git-commit' },
  { prefix: 'process:', kind: 'process', word: 'process', icon: 'terminal' },
  { prefix: 'plugin:', kind: 'plugin', word: 'plugin', icon: 'plug' },
] as const;

export interface OwnerWords {
  readonly label: string;
  readonly kind: string;
  readonly word: string;
  readonly icon: string;
}

/** How an owner is shown; `ours` are the owner ids of gates that this window holds. */
export function ownerWords(ownerJobId: string, ours: ReadonlySet<string>): OwnerWords {
  if (ours.has(ownerJobId)) return { label: 'You', kind: 'own', word: 'this window', icon: 'person' };
  const label = holderName(ownerJobId);
  const known = KINDS.find(({ prefix }) => ownerJobId.startsWith(prefix));
  return known ? { label, ...known } : { label, kind: 'other', word: 'owner', icon: 'account' };
}

/** The process behind an identity that names one (`process:4711`). */
export function ownerProcessId(controllerInstanceId: string | undefined): number | undefined {
  const digits = /^process:(\d{1,10})$/.exec(controllerInstanceId ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
