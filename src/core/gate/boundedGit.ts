import { spawn } from 'node:child_process';

export interface GitRequest {
  /** The git program, absolute or by name. */
  readonly git: string;
  readonly root: string;
  readonly args: readonly string[];
  /** Milliseconds after which git is killed. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with standard output as it comes; nothing is kept here, so its length has no bound. */
  readonly onOutput: (chunk: Buffer) => void;
}

/** How a git of our own ended. A git that could not be started is `failed`. */
export type GitEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' };

/** How long output is still read after git has ended; all of it is there unless somebody else writes to the pipe. */
const OUTPUT_GRACE_MS = 500;

/**
 * Runs a read-only git of Leasehold's own. It takes no optional locks, asks nobody anything, and is told by its
 * directory alone which repository is meant: `GIT_*` of our own environment may name another one.
 */
export function runBoundedGit(request: GitRequest): Promise<GitEnd> {
  const { git, root, args, timeoutMs, signal, onOutput } = request;
  if (signal?.aborted) return Promise.resolve({ kind: 'cancelled' });
  return new Promise(resolve => {
    const child = spawn(git, ['-C', root, ...args], {
      cwd: root,
      env: ownEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    let grace: NodeJS.Timeout | undefined;
    // Ends with git itself: what git started may keep the pipe open for as long as it likes.
    const finish = (end: GitEnd) => {
      clearTimeout(deadline);
      clearTimeout(grace);
      signal?.removeEventListener('abort', cancel);
      child.stdout.destroy();
      resolve(end);
    };
    const stop = (end: GitEnd) => {
      child.kill('SIGKILL');
      finish(end);
    };
    const deadline = setTimeout(() => stop({ kind: 'timedOut' }), timeoutMs);
    const cancel = () => stop({ kind: 'cancelled' });
    signal?.addEventListener('abort', cancel);
    const ended = (code: number | null): GitEnd =>
      code === null ? { kind: 'failed', reason: 'killed' } : { kind: 'exited', code };
    child.stdout.on('data', onOutput);
    child.on('error', error => finish({ kind: 'failed', reason: error.message }));
    child.on('exit', code => {
      grace = setTimeout(() => finish(ended(code)), OUTPUT_GRACE_MS);
    });
    child.on('close', code => finish(ended(code)));
  });
}

function ownEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
