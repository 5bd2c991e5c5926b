import assert from 'node:assert/strict';
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock';
import type { Claim } from '../../src/core/leases/claim';
import { LeaseDirectory } from '../../src/core/leases/leaseDirectory';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import type { LineProcess } from '../support/lineProcess';
import { referencesOf } from '../support/storeScenario';
import { ChildScenario } from './childScenario';

const DURATION_MS = 4_000;

describe('a reader beside processes that write', () => {
  let scenarios: ChildScenario[];
  beforeEach(() => {
    scenarios = [];
  });
  afterEach(() => {
    for (const scenario of scenarios) scenario.dispose();
  });

  const openScenario = () => {
    const scenario = new ChildScenario();
    scenarios.push(scenario);
    return scenario;
  };
  const openDirectory = ({ paths }: ChildScenario) =>
    new LeaseDirectory(paths.activeLeases, { fileSystem: nodeFileSystem, clock: systemClock() });

  async function writeUntil(end: () => boolean, scenario: ChildScenario, child: LineProcess): Promise<void> {
    const claims: readonly Claim[] = ['a', 'b', 'c', 'd', 'e'].map(file => ({
      resourceKey: `path:c1:${file}`,
      mode: 'write',
    }));
    for (let round = 0; !end(); round++) {
      const owner = `fast:${round}`;
      const result = await scenario.acquire(child, owner, { claims });
      assert.ok(result.acquired);
      const references = referencesOf(result.leases);
      await child.ask('renew', { owner, references, timeToLiveMs: 6_000 });
      await child.ask('release', { owner, references });
    }
  }

  it('never sees half a file, also when a writer is killed', async () => {
    const start = performance.now();
    const seen = new Set<string>();
    let reads = 0;
    let kills = 0;
    // Goes on until enough has happened, however slow the machine is; the test's own time is the deadline.
    const enough = () => reads > 50 && seen.size > 50 && kills > 2;
    const over = () => performance.now() - start > DURATION_MS && enough();
    const read = async (scenario: ChildScenario) => {
      const directory = openDirectory(scenario);
      await directory.readAgain('all');
      for (const entry of directory.entries) {
        assert.ok(entry.kind === 'lease', JSON.stringify(entry));
        seen.add(entry.record.leaseId);
      }
      for (const text of scenario.jsonFiles(scenario.home)) JSON.parse(text);
    };

    const steady = openScenario();
    const writing = writeUntil(over, steady, await steady.child());
    let dying = steady;
    const killing = (async () => {
      while (!over()) {
        const scenario = openScenario();
        const child = await scenario.child();
        dying = scenario;
        const working = assert.rejects(
          writeUntil(() => false, scenario, child),
          /the process ended/,
        );
        const killAfter = 5 + Math.random() * 60;
        for (const begun = performance.now(); performance.now() - begun < killAfter; ) await setImmediate();
        await scenario.kill(child);
        await working;
        await read(scenario);
        kills += 1;
      }
    })();
    for (; !over(); reads++) {
      await read(steady);
      await read(dying);
      await setImmediate();
    }
    await Promise.all([writing, killing]);
    console.log(`      ${reads} reads, ${seen.size} leases seen, ${kills} writers killed`);
    assert.ok(enough());
  });

  it('changes nothing in the directory, whatever lies in it', async () => {
    const scenario = openScenario();
    const child = await scenario.child();
    assert.ok((await scenario.acquire(child, 'fast:victim')).acquired);
    await scenario.kill(child);
    const { activeLeases } = scenario.paths;
    const [lease] = scenario.leasesOnDisk();
    const expired = { ...lease, leaseId: 'LEASE-1', expiresAt: '2020-01-01T00:00:00.000Z' };
    writeFileSync(path.join(activeLeases, 'LEASE-1.json'), JSON.stringify(expired));
    writeFileSync(path.join(activeLeases, 'LEASE-2.json'), '{');
    writeFileSync(path.join(activeLeases, 'LEASE-3.json.1.x.tmp'), '');
    const look = () =>
      ['.', ...readdirSync(activeLeases).sort()].map(name => {
        const { ino, size, mtimeMs, ctimeMs } = lstatSync(path.join(activeLeases, name));
        return { name, ino, size, mtimeMs, ctimeMs };
      });
    const before = look();
    const directory = openDirectory(scenario);
    await directory.readAgain('all');
    directory.readNew();
    directory.readLease('LEASE-1');
    directory.readLease('LEASE-2');
    assert.equal([...directory.entries].length, 5);
    assert.deepEqual(look(), before);
  });
});
