import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { readRepositoryLock } from '../../src/core/controller/repositoryLock';
import type { LeaseRecord } from '../../src/core/leases/leaseRecord';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import { eventually } from '../support/eventually';
import type { LineProcess } from '../support/lineProcess';
import { ChildScenario } from './childScenario';

const DURATION_MS = 8_000;
const TIME_TO_LIVE_MS = 5_000;
/** A victim lives this long at most after its first grant; holding takes about half of it. */
const KILL_WITHIN_MS = 40;
/** One that is never granted is killed all the same, while it tries. */
const REFUSED_FOR_MS = 400;
/** How often a holder looks at its lease before it gives it back; this takes no lock. */
const LOOKS = 20;

/** Two processes that want the same; one is killed again and again, at any moment. */
class Lane {
  readonly scenario = new ChildScenario();
  readonly kills = { withLease: 0, withLock: 0, withNothing: 0 };
  readonly grants = { survivor: 0, victim: 0 };
  lastKill = 0;
  private readonly inside = new Set<string>();
  private readonly tokens = new Map<string, number>();
  private rounds = 0;

  async run(until: number): Promise<void> {
    await Promise.all([this.survive(until), this.die(until)]);
    const survivor = await this.scenario.child();
    const left = this.lastKill + TIME_TO_LIVE_MS + 20_000 - performance.now();
    await eventually('a grant after the last kill', left, async () => {
      return (await this.tryOnce(survivor, 'survivor')) || undefined;
    });
  }

  private async survive(until: number): Promise<void> {
    const survivor = await this.scenario.child();
    while (performance.now() < until) {
      await this.tryOnce(survivor, 'survivor');
      // Leaves the other one a chance: the lock is not fair.
      await setTimeout(20);
    }
  }

  private async die(until: number): Promise<void> {
    while (performance.now() < until || this.grants.victim === 0) {
      const victim = await this.scenario.child();
      const start = performance.now();
      const before = this.grants.victim;
      let kill: Promise<void> | undefined;
      const owner = await this.workUntilKilled(victim, () => {
        const ripe = this.grants.victim > before || performance.now() - start > REFUSED_FOR_MS;
        // The first grant of a lane is surely held when its owner ends; the others end at any moment.
        const delay = this.grants.victim === 1 ? 0 : Math.random() * KILL_WITHIN_MS;
        if (ripe) kill ??= setTimeout(delay).then(() => this.scenario.kill(victim));
      });
      await kill;
      this.lastKill = performance.now();
      this.inside.delete(owner);
      this.count(owner, victim.processId);
    }
  }

  /** The owner id that it worked under when it ended. */
  private async workUntilKilled(victim: LineProcess, answered: () => void): Promise<string> {
    for (;;) {
      const owner = `fast:victim-${this.rounds + 1}`;
      try {
        if (!(await this.tryOnce(victim, 'victim', answered))) await setTimeout(10);
      } catch (error) {
        if (!/the process ended/.test(String(error))) throw error;
        return owner;
      }
    }
  }

  private async tryOnce(child: LineProcess, who: 'survivor' | 'victim', answered = () => {}): Promise<boolean> {
    this.rounds += who === 'victim' ? 1 : 0;
    const owner = `fast:${who}-${who === 'victim' ? this.rounds : this.grants.survivor}`;
    const result = await this.scenario.acquire(child, owner, { waitMs: 200 });
    if (result.acquired) {
      this.enter(owner, result.leases);
      this.grants[who] += 1;
    }
    answered();
    if (!result.acquired) return false;
    await unlessLockIsLeft(() => this.hold(child, owner, result.leases, this.grants[who] % 2 === 0));
    this.inside.delete(owner);
    await eventually('a release', 20_000, () =>
      unlessLockIsLeft(() => this.scenario.release(child, owner, result.leases)),
    );
    return true;
  }

  private async hold(child: LineProcess, owner: string, leases: readonly LeaseRecord[], renew: boolean): Promise<void> {
    if (renew) await child.ask('renew', { owner, references: leases, timeToLiveMs: TIME_TO_LIVE_MS });
    for (let look = 0; look < LOOKS; look++) await child.ask('assert', { references: leases });
  }

  /** Nobody else may be in, by what was told and by what lies on disk; tokens grow for each key. */
  private enter(owner: string, leases: readonly LeaseRecord[]): void {
    assert.deepEqual([...this.inside], []);
    this.inside.add(owner);
    const live = this.scenario.liveOwners();
    assert.deepEqual(
      live.filter(other => other !== owner),
      [],
      `${owner} was granted beside another`,
    );
    for (const { resourceKey, fencingToken } of leases) {
      const last = this.tokens.get(resourceKey) ?? 0;
      assert.ok(fencingToken > last, `${resourceKey}: ${fencingToken} after ${last}`);
      this.tokens.set(resourceKey, fencingToken);
    }
  }

  private count(owner: string, processId: number): void {
    const lock = readRepositoryLock(nodeFileSystem, this.scenario.paths.lockFile);
    if (lock.kind === 'record' && lock.record.pid === processId) this.kills.withLock += 1;
    else if (this.scenario.liveOwners().includes(owner)) this.kills.withLease += 1;
    else this.kills.withNothing += 1;
  }
}

/** True when it was done; undefined when the other one was killed with the lock, which lies for ten seconds. */
async function unlessLockIsLeft(act: () => Promise<void>): Promise<true | undefined> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!/^Error: LOCK_HELD/.test(String(error))) throw error;
    return undefined;
  }
}

describe('two processes of which one is killed again and again', () => {
  let lanes: readonly Lane[];
  before(() => {
    lanes = [new Lane(), new Lane(), new Lane()];
  });
  after(() => {
    for (const { scenario } of lanes) scenario.dispose();
  });

  it('never hold conflicting claims, draw tokens that grow, and the other goes on in time', async () => {
    const until = performance.now() + DURATION_MS;
    await Promise.all(lanes.map(lane => lane.run(until)));
    const sum = (count: (lane: Lane) => number) => lanes.reduce((total, lane) => total + count(lane), 0);
    const [withLease, withLock, withNothing] = [
      sum(({ kills }) => kills.withLease),
      sum(({ kills }) => kills.withLock),
      sum(({ kills }) => kills.withNothing),
    ];
    const grants = [sum(lane => lane.grants.survivor), sum(lane => lane.grants.victim)];
    console.log(`      killed ${withLease} with a lease, ${withLock} with the lock, ${withNothing} with nothing`);
    console.log(`      grants: ${grants.join(' and ')}`);
    assert.ok(withLease + withLock + withNothing >= lanes.length && withLease > 0, 'kills really happened');
    assert.ok(
      grants.every(count => count >= lanes.length),
      'both really took part',
    );
  });
});
