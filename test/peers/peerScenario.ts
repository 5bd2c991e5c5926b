import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { systemClock } from '../../src/core/clock';
import type { Claim } from '../../src/core/leases/claim';
import type { LeaseRecord } from '../../src/core/leases/leaseRecord';
import { type LeaseReference, LeaseStore } from '../../src/core/leases/leaseStore';
import { nodeFileSystem } from '../../src/core/storage/fileSystem';
import { TestHome } from '../support/controllerHome';
import { makeRepository } from '../support/gitRepository';
import { LineProcess } from '../support/lineProcess';

const ROOT = path.resolve(__dirname, '../../..');
export const FORGE = path.join(ROOT, 'test/peers/forgePeer.mjs');
export const OUR_CHILD = path.join(ROOT, 'out/test/fixtures/leaseChild.js');

/** One controller home with one repository, shared by the real peer and our store. */
export class PeerScenario {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'lh-peer-'));
  readonly root = makeRepository(path.join(this.directory, 'app'));
  readonly home = new TestHome(path.join(this.directory, 'home'), this.root);
  private readonly processes: LineProcess[] = [];

  get repoId(): string {
    return this.home.repoId;
  }

  get checkoutId(): string {
    return this.home.checkoutId;
  }

  ourStore(): LeaseStore {
    return new LeaseStore(this.home.path, this.repoId, {
      fileSystem: nodeFileSystem,
      clock: systemClock(),
      environment: {},
      processId: process.pid,
    });
  }

  async forge(): Promise<LineProcess> {
    return await this.started(LineProcess.start(FORGE, this.home.path));
  }

  async ourChild(): Promise<LineProcess> {
    return await this.started(LineProcess.start(OUR_CHILD, this.home.path, this.repoId));
  }

  /** A write claim on a key of the main checkout: `workspace`, `git-index`, ... */
  claim(kind: string): Claim {
    return { resourceKey: `${kind}:${this.checkoutId}`, mode: 'write' };
  }

  dispose(): void {
    for (const started of this.processes) started.kill();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private async started(starting: Promise<LineProcess>): Promise<LineProcess> {
    const process_ = await starting;
    this.processes.push(process_);
    return process_;
  }
}

export function referencesTo(leases: readonly LeaseRecord[]): LeaseReference[] {
  return leases.map(({ leaseId, fencingToken, ownerIdentityDigest }) => ({
    leaseId,
    fencingToken,
    ownerIdentityDigest,
  }));
}

/** What the peer's acquire answers. */
export interface ForgeAcquire {
  readonly acquired: boolean;
  readonly leases: readonly LeaseRecord[];
  readonly blockers: readonly {
    readonly resourceKey: string;
    readonly ownerJobId: string;
    readonly leaseId: string;
    readonly mode: string;
    readonly ownerIdentityDigest?: string;
  }[];
}
