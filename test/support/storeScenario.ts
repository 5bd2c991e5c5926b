import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type RepositoryPaths, repositoryPaths } from '../../src/core/controller/repositoryPaths';
import type { Claim } from '../../src/core/leases/claim';
import { LeaseDirectory } from '../../src/core/leases/leaseDirectory';
import type { LeaseRecord } from '../../src/core/leases/leaseRecord';
import {
  type AcquireRequest,
  type AcquireResult,
  type LeaseReference,
  LeaseStore,
} from '../../src/core/leases/leaseStore';
import { type FileSystem, nodeFileSystem } from '../../src/core/storage/fileSystem';
import { FakeClock } from './fakeClock';
import { leaseText } from './leaseRecordFixture';

/** One controller home in a temporary directory, with a clock and a disk that a test commands. */
export class StoreScenario {
  readonly home = mkdtempSync(path.join(tmpdir(), 'lh-store-'));
  readonly repoId = 'repo_a';
  readonly clock = new FakeClock(Date.parse('2026-01-01T12:00:00.000Z'));
  readonly paths: RepositoryPaths = repositoryPaths(this.home, this.repoId);

  /** A store as another process would open it: it knows nothing yet. */
  store(fileSystem: FileSystem = nodeFileSystem): LeaseStore {
    const { clock } = this;
    return new LeaseStore(this.home, this.repoId, { fileSystem, clock, environment: {}, processId: process.pid });
  }

  directory(fileSystem: FileSystem = nodeFileSystem): LeaseDirectory {
    return new LeaseDirectory(this.paths.activeLeases, { fileSystem, clock: this.clock });
  }

  /** Lets time go by until the promise is settled. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    promise.then(end, end);
    while (!settled) {
      await setImmediate();
      if (!settled && this.clock.pendingTimers > 0) this.clock.advance(5);
    }
    return await promise;
  }

  async acquire(request: Partial<AcquireRequest> = {}, store: LeaseStore = this.store()): Promise<AcquireResult> {
    const claims: readonly Claim[] = [{ resourceKey: 'workspace:c1', mode: 'write' }];
    return await this.settle(store.acquire({ owner: 'fast:a', claims, timeToLiveMs: 30_000, ...request }));
  }

  /** Acquires what must be granted. */
  async granted(request: Partial<AcquireRequest> = {}, store?: LeaseStore): Promise<readonly LeaseRecord[]> {
    const result = await this.acquire(request, store);
    if (!result.acquired) throw new Error(`refused: ${JSON.stringify(result.blockers)}`);
    return result.leases;
  }

  /** Puts a file among the leases, named by the record's id unless said otherwise. */
  plantLease(members: Readonly<Record<string, unknown>> = {}, name?: string): string {
    const text = leaseText(members);
    return this.plant(name ?? `${(JSON.parse(text) as LeaseRecord).leaseId}.json`, text);
  }

  plant(name: string, text: string): string {
    mkdirSync(this.paths.activeLeases, { recursive: true });
    const file = path.join(this.paths.activeLeases, name);
    writeFileSync(file, text);
    return file;
  }

  /** Every file below the home and what it holds; what is not a regular file is said to be none. */
  tree(): Readonly<Record<string, string>> {
    const names = readdirSync(this.home, { recursive: true, encoding: 'utf8' }).sort();
    const found = names.map((name): [string, string] => [name, contentOf(path.join(this.home, name))]);
    return Object.fromEntries(found.filter(([, content]) => content !== DIRECTORY));
  }

  /** The lease files alone, by name. */
  leases(): Readonly<Record<string, string>> {
    const directory = `${path.relative(this.home, this.paths.activeLeases)}${path.sep}`;
    return Object.fromEntries(
      Object.entries(this.tree()).filter(([file]) => file.startsWith(directory) && file.endsWith('.json')),
    );
  }

  dispose(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export function referencesOf(leases: readonly LeaseRecord[]): LeaseReference[] {
  return leases.map(({ leaseId, fencingToken, ownerIdentityDigest }) => ({
    leaseId,
    fencingToken,
    ownerIdentityDigest,
  }));
}

const DIRECTORY = 'a directory';

function contentOf(file: string): string {
  const stats = lstatSync(file);
  if (stats.isDirectory()) return DIRECTORY;
  return stats.isFile() ? readFileSync(file, 'utf8') : 'no regular file';
}
