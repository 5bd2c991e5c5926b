import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type GitEnd, runBoundedGit } from '../../../src/core/gate/boundedGit';

describe('a git of our own', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'lh-git-'));
  });
  afterEach(() => {
    // What a stand-in left running ends with the file that it waits for.
    rmSync(directory, { recursive: true, force: true });
  });

  /** A stand-in for git; `waits` lasts as long as the test's directory. */
  function standIn(script: string): string {
    const file = path.join(directory, 'git');
    const waits = `waits() { while [ -e '${directory}' ]; do sleep 0.05; done; }`;
    writeFileSync(file, `#!/bin/sh\n${waits}\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  function run(git: string, choices: { timeoutMs?: number; signal?: AbortSignal } = {}) {
    const output: Buffer[] = [];
    const request = { git, root: directory, args: ['status'], timeoutMs: 30_000, ...choices };
    const end = runBoundedGit({ ...request, onOutput: chunk => output.push(chunk) });
    return end.then((kind: GitEnd) => ({ end: kind, output: Buffer.concat(output).toString('utf8') }));
  }

  it('takes no optional locks, asks nobody, and is told by its directory alone which repository is meant', async () => {
    process.env.GIT_INDEX_FILE = '/somewhere/else';
    try {
      const { end, output } = await run(standIn('env; echo "$@"'));
      assert.deepEqual(end, { kind: 'exited', code: 0 });
      assert.match(output, /^GIT_OPTIONAL_LOCKS=0$/m);
      assert.match(output, /^GIT_TERMINAL_PROMPT=0$/m);
      assert.doesNotMatch(output, /GIT_INDEX_FILE/);
      assert.ok(output.trimEnd().endsWith(`-C ${directory} status`));
    } finally {
      delete process.env.GIT_INDEX_FILE;
    }
  });

  it('ends when git ends, though something that git started keeps the pipe', async () => {
    const { end, output } = await run(standIn('waits & echo done'));
    assert.deepEqual([end, output], [{ kind: 'exited', code: 0 }, 'done\n']);
  });

  it('ends at its time limit, though something that git started keeps the pipe', async () => {
    const { end } = await run(standIn('waits & waits'), { timeoutMs: 100 });
    assert.deepEqual(end, { kind: 'timedOut' });
  });

  it('ends when it is cancelled, though something that git started keeps the pipe', async () => {
    const cancel = new AbortController();
    const running = run(standIn(`echo $$ > '${directory}/started'; waits & waits`), { signal: cancel.signal });
    cancel.abort();
    assert.deepEqual((await running).end, { kind: 'cancelled' });
  });

  it('reads all output of a git that writes much', async () => {
    const big = path.join(directory, 'big');
    writeFileSync(big, 'x'.repeat(5_000_000));
    const { output } = await run(standIn(`cat '${big}'`));
    assert.equal(output.length, readFileSync(big).length);
  });
});
