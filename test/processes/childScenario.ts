import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type RepositoryPaths, repositoryPaths } from '../../src/core/controller/repositoryPaths';
import { codeOf } from '../../src/core/leaseError';
import type { Claim } from '../../src/core/leases/claim';
import type { LeaseRecord } from '../../src/core/leases/leaseRecord';
import type { AcquireRequest, AcquireResult } from '../../src/core/leases/leaseStore';
import { LineProcess } from '../support/lineProcess';
import { referencesOf } from '../support/storeScenario';

const CHILD = path.resolve(__dirname, '../../../out/test/fixtures/leaseChild.js');
const WRITE: readonly Claim[] = ['workspace:c1', 'git-index:c1', 'git-head:c1'].map(resourceKey => ({
  resourceKey,
  mode: 'write',
}));

/** One controller home and real processes that hold leases in it. */
export class ChildScenario {
  readonly home = mkdtempSync(path.join(tmpdir(), 'lh-processes-'));
  readonly paths: RepositoryPaths = repositoryPaths(this.home, 'repo_a');
  private readonly children: LineProcess[] = [];

  constructor() {
    mkdirSync(this.paths.activeLeases, { recursive: true });
  }

  async child(): Promise<LineProcess> {
    const child = await LineProcess.start(CHILD, this.home, 'repo_a');
    this.children.push(child);
    return child;
  }

  /** Ends it as a crash would, and waits until it is gone. */
  async kill(child: LineProcess): Promise<void> {
    child.kill('SIGKILL');
    await child.ended;
  }

  acquire(child: LineProcess, owner: string, request: Partial<AcquireRequest> = {}): Promise<AcquireResult> {
    return child.ask<AcquireResult>('acquire', { owner, claims: WRITE, timeToLiveMs: 5_000, ...request });
  }

  async release(child: LineProcess, owner: string, leases: readonly LeaseRecord[]): Promise<void> {
    await child.ask('release', { owner, references: referencesOf(leases) });
  }

  /** The leases that lie on disk now, read by nothing of ours; one that is not whole JSON fails here. */
  leasesOnDisk(): LeaseRecord[] {
    return this.jsonFiles(this.paths.activeLeases).map(file => JSON.parse(file) as LeaseRecord);
  }

  /** Who holds something now, by the time of the wall clock. */
  liveOwners(): string[] {
    const now = Date.now();
    const live = this.leasesOnDisk().filter(({ expiresAt }) => Date.parse(expiresAt) > now);
    return [...new Set(live.map(({ ownerJobId }) => ownerJobId))];
  }

  /** The content of every `.json` below a directory; a file that goes away meanwhile is left out. */
  jsonFiles(directory: string): string[] {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'));
    return names.flatMap(name => {
      try {
        return [readFileSync(path.join(directory, name), 'utf8')];
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        return [];
      }
    });
  }

  dispose(): void {
    for (const child of this.children) child.kill();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
