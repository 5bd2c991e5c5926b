import { codeOf } from '../leaseError';

/**
 * What one probe of a process id can tell. `alive` means that a process with this id exists on this machine now,
 * not that it is the one that was meant; `unknown` is never a reason to act.
 */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Asks the operating system about a process id. */
export type ProcessProbe = (processId: number) => Liveness;

export const probeProcess: ProcessProbe = processId => {
  if (!Number.isSafeInteger(processId) || processId <= 0) return 'unknown';
  try {
    process.kill(processId, 0);
    return 'alive';
  } catch (error) {
    // EPERM: somebody else's process; it says nothing about who it is.
    return codeOf(error) === 'ESRCH' ? 'dead' : 'unknown';
  }
};
