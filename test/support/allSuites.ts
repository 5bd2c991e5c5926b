// npm test: every suite, or those named as arguments. The last line is `N passed, N failed`.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { readResult, type SuiteResult } from './suiteResult';

const ROOT = path.resolve(__dirname, '../../..');
const scratch = mkdtempSync(path.join(tmpdir(), 'lh-results-'));

const SUITES = {
  lint: () => check('npx', ['biome', 'check', '--error-on-warnings', '.']),
  types: () => check('npx', ['tsc', '--noEmit']),
  unit: () => mocha('unit'),
  conformance: () => script('conformance', 'conformance/conformance', ['test/conformance/vectors']),
  processes: () => mocha('processes'),
  peers: () => {
    installPeers();
    return mocha('peers');
  },
  host: () => {
    installPeers();
    return script('host', 'support/host/hostSuite', []);
  },
  ui: () => mocha('ui'),
} as const satisfies Record<string, () => SuiteResult>;

type SuiteName = keyof typeof SUITES;

const named = process.argv.slice(2);
const unknown = named.filter(name => !(name in SUITES));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}
const names = (named.length > 0 ? named : Object.keys(SUITES)) as SuiteName[];

const results: { name: string; seconds: number; result: SuiteResult }[] = [];
for (const name of names) {
  console.log(`\n== ${name}`);
  const start = Date.now();
  const result = attempt(name);
  results.push({ name, seconds: (Date.now() - start) / 1000, result });
}
rmSync(scratch, { recursive: true, force: true });

console.log('');
for (const { name, seconds, result } of results) {
  const words = `${String(result.passed).padStart(5)} passed ${String(result.failed).padStart(3)} failed`;
  console.log(`${name.padEnd(12)}${words} ${seconds.toFixed(1).padStart(7)} s`);
}
const total = (key: keyof SuiteResult) => results.reduce((sum, { result }) => sum + result[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exit(total('failed') === 0 ? 0 : 1);

function attempt(name: SuiteName): SuiteResult {
  try {
    return SUITES[name]();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return { passed: 0, failed: 1 };
  }
}

/** A command that passes or fails as a whole. */
function check(command: string, args: readonly string[]): SuiteResult {
  const passed = run(command, args) === 'exit code 0';
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 };
}

function mocha(suite: string): SuiteResult {
  return script(suite, 'support/mochaSuite', [suite, resultFile(suite)]);
}

/** A program of ours that leaves a result file; its exit code must agree. */
function script(suite: string, name: string, args: readonly string[]): SuiteResult {
  const file = resultFile(suite);
  const program = path.join(ROOT, 'out/test', `${name}.js`);
  const exit = run(process.execPath, ['--enable-source-maps', program, ...args], { LEASEHOLD_TEST_RESULT: file });
  const result = readResult(file, exit);
  return exit === 'exit code 0' || result.failed > 0 ? result : { ...result, failed: 1 };
}

function resultFile(suite: string): string {
  return path.join(scratch, `${suite}.json`);
}

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const options: SpawnSyncOptions = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } };
  const { status, signal, error } = spawnSync(command, args, options);
  return error ? error.message : signal ? `signal ${signal}` : `exit code ${status}`;
}

/** The peer is a development dependency of `test/peers` alone. */
function installPeers(): void {
  const directory = path.join(ROOT, 'test/peers');
  const stamp = path.join(directory, 'node_modules/.package-lock.json');
  const lock = path.join(directory, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  const exit = run('npm', ['ci', '--ignore-scripts', '--prefix', directory]);
  if (exit !== 'exit code 0') throw new Error(`The peer could not be installed (npm ci: ${exit}).`);
}
