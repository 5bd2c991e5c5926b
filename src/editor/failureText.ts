import { LeaseError, type LeaseErrorCode } from '../core/leaseError';
import { plainText } from '../core/plainText';

/** What happened, in words, for the codes that a person can meet. */
const SENTENCES: Partial<Record<LeaseErrorCode, string>> = {
  COUNTER_UNREADABLE: 'a fencing counter in the controller home cannot be read',
  LEASE_UNREADABLE: 'the leases in the controller home cannot be read',
  LOCK_HELD: 'another program kept the repository lock for too long',
  LOCK_UNREADABLE: 'the repository lock cannot be read',
  REGISTRY_UNREADABLE: 'the registry in the controller home cannot be read, so whose leases count cannot be told',
  STORAGE_FAILED: 'the controller home could not be written',
  WRITER_FENCED: 'an agent runtime does not let this editor write in the controller home',
};

/** Why something failed, without a full stop. Of git it is what git or a hook said last. */
export function failureText(error: unknown): string {
  const sentence = error instanceof LeaseError ? SENTENCES[error.code] : undefined;
  const said = outputOf(error).trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error));
  return sentence ?? plainText(said).replace(/\.$/, '');
}

/** All that git wrote on its standard error; the built-in git extension's errors carry it. */
export function outputOf(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? error.stderr : undefined;
  return typeof output === 'string' ? output : '';
}
