/** A pending callback; disposing it after it ran does nothing. */
export interface Timer {
  dispose(): void;
}

/** The two times that leases are judged by, and the only way core waits. Replaced by a fake in tests. */
export interface Clock {
  /** Milliseconds since the epoch. May jump in both directions. */
  wall(): number;
  /** Milliseconds since some start. Never goes back; may or may not advance while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds; keeps no process alive. */
  timer(ms: number, callback: () => void): Timer;
}

/** Longest delay that Node accepts; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export function systemClock(): Clock {
  return {
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    timer: (ms, callback) => {
      const handle = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_DELAY_MS));
      handle.unref();
      return { dispose: () => clearTimeout(handle) };
    },
  };
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve();
    const end = () => {
      timer.dispose();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.timer(ms, end);
    signal?.addEventListener('abort', end);
  });
}
