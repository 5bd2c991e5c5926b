import { setTimeout } from 'node:timers/promises';

/** Looks again until `look` gives something; fails when the time is over. For what no event tells of. */
export async function eventually<T>(what: string, withinMs: number, look: () => Promise<T | undefined>): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - start > withinMs) throw new Error(`${what}: not within ${withinMs} ms.`);
    await setTimeout(20);
  }
}
