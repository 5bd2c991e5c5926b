import { createHash } from 'node:crypto';
import { type GitEnd, runBoundedGit } from './boundedGit';

/** What the checkout was when the gate had been acquired. */
export interface GateSnapshot {
  /** Object id of HEAD; null when there is no commit yet. */
  readonly head: string | null;
  /** SHA-256 hex over the whole `git status`; null when it was not to be had. */
  readonly statusHash: string | null;
  /** Why there is no hash. */
  readonly statusMissing?: string;
}

/** A status that takes longer leaves the hash empty and refuses nothing, milliseconds. */
const STATUS_TIMEOUT_MS = 5_000;

const HEAD = ['rev-parse', '--verify', 'HEAD'];
/** The runtime's own bookkeeping inside a checkout is left out (protocol). */
const STATUS = ['status', '--porcelain=v1', '--untracked-files=all', '--', '.', ':(exclude).ai/harness/**'];

export async function takeGateSnapshot(git: string, root: string, signal?: AbortSignal): Promise<GateSnapshot> {
  const head: Buffer[] = [];
  const hash = createHash('sha256');
  const common = { git, root, timeoutMs: STATUS_TIMEOUT_MS, signal };
  const [headEnd, statusEnd] = await Promise.all([
    runBoundedGit({ ...common, args: HEAD, onOutput: chunk => head.push(chunk) }),
    runBoundedGit({ ...common, args: STATUS, onOutput: chunk => hash.update(chunk) }),
  ]);
  const ok = headEnd.kind === 'exited' && headEnd.code === 0;
  const missing = whyMissing(statusEnd);
  return {
    head: ok ? Buffer.concat(head).toString('utf8').trim() : null,
    statusHash: missing === undefined ? hash.digest('hex') : null,
    ...(missing === undefined ? {} : { statusMissing: missing }),
  };
}

function whyMissing(end: GitEnd): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : `git status ended with exit code ${end.code}`;
    case 'failed':
      return `git could not be run (${end.reason})`;
    case 'timedOut':
      return `git status took longer than ${STATUS_TIMEOUT_MS / 1000} s`;
    case 'cancelled':
      return 'the operation was cancelled';
  }
}
