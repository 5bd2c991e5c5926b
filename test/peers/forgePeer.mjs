// Drives the real lease code of @moretea-labs/forge as a child process. One JSON request a line on standard input,
// {"id", "op", "input"}; answers and events a line each on standard output, {"id", ...}. Several run at once.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FORGE = path.join(HERE, 'node_modules/@moretea-labs/forge');
const VERSION = '1.8.0';
/** The package ships its TypeScript sources; these modules are what tests need of it. */
const MODULES = {
  store: 'runtime/resources/leases/store.ts',
  gate: 'runtime/execution/thin-harness/mutation-gate.ts',
  locks: 'cli/repositories/locks.ts',
  registry: 'cli/repositories/registry.ts',
};

const { store, gate, locks, registry } = await loadForge();
const [home] = process.argv.slice(2);

const OPERATIONS = {
  list: ({ repo }) => store.listActiveLeases(home, repo),
  acquire: ({ repo, owner, claims, options }) => store.acquireExecutionLeases(home, repo, owner, claims, options),
  renew: ({ repo, owner, ttlMs, expected }) => store.renewExecutionLeases(home, repo, owner, ttlMs, expected),
  release: ({ repo, owner, expected }) => store.releaseExecutionLeases(home, repo, owner, expected),
  assert: ({ repo, leaseId, fencingToken }) => store.assertFencingToken(home, repo, leaseId, fencingToken),
  register: input => registry.registerRepository({ ...input, controllerHome: home }),
  lockHold,
  gateHold,
};

/** Holds the repository lock for a while, as a slow critical section would. */
async function lockHold({ repo, owner, holdMs }, tell) {
  const key = { scope: 'repository', repoId: repo };
  const lock = locks.acquireControllerLock(home, key, owner, 10_000);
  tell({ event: 'held' });
  await sleep(holdMs);
  locks.releaseControllerLock(home, key, lock.lockId);
}

/** Holds a mutation gate, with the peer's own heartbeat, until its lease is lost or the time is over. */
async function gateHold({ repo, checkout, root, owner, ttlMs, holdMs, ownership }, tell) {
  const input = { controllerHome: home, repoId: repo, checkoutId: checkout, repoRoot: root, owner, ttlMs, ownership };
  return await gate.withCheckoutMutationGate(input, async (held, helpers) => {
    tell({ event: 'held', gate: held });
    await Promise.race([sleep(holdMs), new Promise(resolve => helpers.signal.addEventListener('abort', resolve))]);
    helpers.assert();
    return { renewCount: helpers.getGate().renewCount };
  });
}

/** Bundles the package's own sources once; a later start takes tens of milliseconds. */
async function loadForge() {
  const found = JSON.parse(readFileSync(path.join(FORGE, 'package.json'), 'utf8')).version;
  if (found !== VERSION) throw new Error(`@moretea-labs/forge ${VERSION} is needed, ${found} is installed.`);
  const key = createHash('sha256')
    .update(JSON.stringify([VERSION, MODULES]))
    .digest('hex')
    .slice(0, 12);
  const built = path.join(HERE, 'node_modules/.cache', `forge-${key}`);
  if (!existsSync(built)) await bundle(built);
  return await import(pathToFileURL(path.join(built, 'forge.mjs')).href);
}

async function bundle(built) {
  const { build } = await import('esbuild');
  const temporary = `${built}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  const exports = Object.entries(MODULES).map(
    ([name, file]) => `export * as ${name} from ${JSON.stringify(path.join(FORGE, 'src', file))};`,
  );
  await build({
    stdin: { contents: exports.join('\n'), resolveDir: HERE },
    outfile: path.join(temporary, 'forge.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    renameSync(temporary, built);
  } catch (error) {
    if (!existsSync(built)) throw error;
    rmSync(temporary, { recursive: true });
  }
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

say({ event: 'ready' });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, input } = JSON.parse(line);
  Promise.resolve()
    .then(() => OPERATIONS[op](input, event => say({ id, ...event })))
    .then(
      result => say({ id, result: result ?? null }),
      error => say({ id, error: String(error?.message ?? error) }),
    );
}
