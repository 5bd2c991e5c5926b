import { type Clock, pause } from '../clock';
import { codeOf } from '../leaseError';
import type { ProcessProbe } from './liveness';

const KILL_AFTER_MS = 200;
const GIVE_UP_AFTER_MS = 1_500;
const LOOK_EVERY_MS = 20;

/**
 * Ends processes that the caller started: SIGTERM to the process group where the id leads one, else to the process;
 * SIGKILL after 200 ms. True when all are proven to have ended within 1.5 s, false when that cannot be said.
 */
export async function stopProcesses(ids: Iterable<number>, probe: ProcessProbe, clock: Clock): Promise<boolean> {
  const remaining = new Set(ids);
  const start = clock.monotonic();
  for (const id of remaining) sendSignal(id, 'SIGTERM');
  let killed = false;
  for (;;) {
    for (const id of remaining) if (probe(id) === 'dead') remaining.delete(id);
    const elapsed = clock.monotonic() - start;
    if (remaining.size === 0 || elapsed >= GIVE_UP_AFTER_MS) return remaining.size === 0;
    if (!killed && elapsed >= KILL_AFTER_MS) {
      killed = true;
      for (const id of remaining) sendSignal(id, 'SIGKILL');
    }
    await pause(clock, LOOK_EVERY_MS);
  }
}

function sendSignal(id: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const target of [-id, id]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      // ESRCH: it leads no group, or has ended; the probe tells which.
      if (codeOf(error) !== 'ESRCH') return;
    }
  }
}
