// node out/test/demo/agent.js HOME REPOSITORY OWNER CHECKOUT KEY...: takes leases, renews them and gives them back, in a
// loop, through the project's own store, as an agent's process would. SIGTERM gives back what it holds.
import { pause, systemClock } from '../../src/core/clock';
import { HeldLease } from '../../src/core/gate/heldLease';
import type { Claim } from '../../src/core/leases/claim';
import { LeaseStore } from '../../src/core/leases/leaseStore';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';

const TIME_TO_LIVE_MS = 15_000;
const WORKS_MS = { least: 8_000, most: 25_000 } as const;
/** Long enough for a person to run a command meanwhile. */
const RESTS_MS = { least: 6_000, most: 12_000 } as const;
const TRIES_AGAIN_MS = { least: 1_000, most: 3_000 } as const;

const [home = '', repoId = '', owner = '', checkoutId = '', ...keys] = process.argv.slice(2);
const clock = systemClock();
const store = new LeaseStore(home, repoId, {
  fileSystem: nodeFileSystem,
  clock,
  environment: {},
  processId: process.pid,
});
const claims = keys.map((resourceKey): Claim => ({ resourceKey, mode: 'write', checkoutId }));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// Nothing else keeps the process alive between two timers; and it must not outlive who started it.
const alive = setInterval(() => {}, 60_000);
process.on('disconnect', () => stop.abort());

function between({ least, most }: { least: number; most: number }): number {
  return least + Math.random() * (most - least);
}

async function work(): Promise<void> {
  while (!stop.signal.aborted) {
    const since = clock.monotonic();
    const result = await store.acquire({ owner, claims, timeToLiveMs: TIME_TO_LIVE_MS });
    if (!result.acquired) {
      await pause(clock, between(TRIES_AGAIN_MS), stop.signal);
      continue;
    }
    const held = new HeldLease(store, owner, result.leases, TIME_TO_LIVE_MS, clock, since);
    await pause(clock, between(WORKS_MS), AbortSignal.any([stop.signal, held.signal]));
    await held.release();
    await pause(clock, between(RESTS_MS), stop.signal);
  }
}

work()
  .catch(error => {
    console.error(`${owner}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  })
  .finally(() => {
    clearInterval(alive);
    if (process.connected) process.disconnect();
  });
