import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkoutId } from '../../src/core/controller/repositoryIds';

export interface LeaseChoices {
  readonly owner?: string;
  readonly resourceKey?: string;
  readonly mode?: string;
  /** Milliseconds from now. */
  readonly timeToLiveMs?: number;
  /** Members that replace or remove (undefined) those of the record. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** A controller home as another program would write it: plain files, no code of ours but the ids. */
export class TestHome {
  readonly repoId: string;
  readonly checkoutId: string;
  readonly activeLeases: string;
  readonly counters: string;
  readonly lockFile: string;

  constructor(
    readonly path: string,
    /** Real path of the repository's main checkout. */
    readonly root: string,
  ) {
    this.repoId = `repo_local_${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
    this.checkoutId = checkoutId(this.repoId, root);
    const repository = this.at('repositories', this.repoId);
    this.activeLeases = join(repository, 'leases/active');
    this.counters = join(repository, 'leases/counters');
    this.lockFile = join(repository, 'locks/repository.lock.json');
    mkdirSync(this.activeLeases, { recursive: true });
    mkdirSync(dirname(this.lockFile), { recursive: true });
    this.register();
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  register(entries: readonly unknown[] = [this.entry()]): void {
    const updatedAt = new Date().toISOString();
    this.write(this.at('repositories.json'), JSON.stringify({ schemaVersion: 1, repositories: entries, updatedAt }));
  }

  entry(): Record<string, unknown> {
    const root = { localRoot: this.root, canonicalRoot: this.root };
    const checkout = { checkoutId: this.checkoutId, ...root, worktree: false, branch: 'main', lifecycle: 'active' };
    const displayName = basename(this.root);
    return { schemaVersion: 1, repoId: this.repoId, displayName, ...root, checkouts: [checkout], enabled: true };
  }

  /** Writes a lease as its owner would, whole and by rename, and returns its file. */
  writeLease(choices: LeaseChoices = {}): string {
    const now = Date.now();
    const leaseId = `LEASE-${now}-${randomBytes(4).toString('hex')}`;
    const owner = choices.owner ?? 'JOB-1842';
    const at = new Date(now).toISOString();
    const record = {
      schemaVersion: 1,
      leaseId,
      repoId: this.repoId,
      checkoutId: this.checkoutId,
      resourceKey: choices.resourceKey ?? `workspace:${this.checkoutId}`,
      mode: choices.mode ?? 'write',
      ownerJobId: owner,
      ownerIdentity: {
        repositoryId: this.repoId,
        checkoutId: this.checkoutId,
        worktreeId: this.checkoutId,
        branch: 'main',
        principalId: `owner:${owner}`,
        controllerInstanceId: `process:${process.pid}`,
        controllerGeneration: 'unbound',
      },
      ownerIdentityDigest: 'f'.repeat(64),
      fencingToken: 1,
      acquiredAt: at,
      expiresAt: new Date(now + (choices.timeToLiveMs ?? 60_000)).toISOString(),
      heartbeatAt: at,
      visibility: 'durable',
      ...choices.members,
    };
    return this.write(join(this.activeLeases, `${leaseId}.json`), `${JSON.stringify(record, null, 2)}\n`);
  }

  /** Writes the lease again with a later expiry, as its owner's heartbeat would. */
  renewLease(file: string, timeToLiveMs: number): void {
    const now = Date.now();
    const times = { expiresAt: new Date(now + timeToLiveMs).toISOString(), heartbeatAt: new Date(now).toISOString() };
    this.write(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...times }, null, 2)}\n`);
  }

  /** Writes any text among the leases. */
  writeAmongLeases(name: string, text: string): string {
    return this.write(join(this.activeLeases, name), text);
  }

  remove(file: string): void {
    unlinkSync(file);
  }

  private write(file: string, text: string): string {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, text);
    renameSync(temporary, file);
    return file;
  }
}
