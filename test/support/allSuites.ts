// npm test: every suite, or those named as arguments. The last line is `N passed, N failed`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { installPeers } from './installPeers';
import { projectRoot } from './projectRoot';
import { readResult, type SuiteResult } from './suiteResult';

const scratch = mkdtempSync(path.join(tmpdir(), 'lh-results-'));

const SUITES = {
  lint: () => check('npx', ['biome', 'check', '--error-on-warnings', '.']),
  types: () => check('npx', ['tsc', '--noEmit']),
  unit: () => mocha('unit'),
  processes: () => mocha('processes'),
  conformance: () => script('conformance', 'conformance/conformance', ['test/conformance/vectors']),
  peers: () => {
    installPeers();
    return mocha('peers');
  },
  host: () => {
    installPeers();
    return script('host', 'support/host/hostSuite', []);
  },
  ui: () => mocha('ui'),
} as const satisfies Record<string, () => Promise<SuiteResult>>;

type SuiteName = keyof typeof SUITES;

const named = process.argv.slice(2);
const unknown = named.filter(name => !(name in SUITES));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}
const names = (named.length > 0 ? named : Object.keys(SUITES)) as SuiteName[];

let running: ChildProcess | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The suite that runs ends its servers and browsers; the later ones are not started.
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

runAll().then(
  failed => process.exit(failed === 0 ? 0 : 1),
  error => {
    console.error(error);
    process.exit(1);
  },
);

async function runAll(): Promise<number> {
  const results: { name: string; seconds: number; result: SuiteResult }[] = [];
  for (const name of names) {
    console.log(`\n== ${name}`);
    const start = Date.now();
    const result = await attempt(name);
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
  return total('failed');
}

async function attempt(name: SuiteName): Promise<SuiteResult> {
  try {
    if (interrupted) throw new Error('Not run: interrupted.');
    return await SUITES[name]();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return { passed: 0, failed: 1 };
  }
}

/** A command that passes or fails as a whole. */
async function check(command: string, args: readonly string[]): Promise<SuiteResult> {
  const passed = (await run(command, args)) === 'exit code 0';
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 };
}

function mocha(suite: string): Promise<SuiteResult> {
  return script(suite, 'support/mochaSuite', [suite, resultFile(suite)]);
}

/** A program of ours that leaves a result file; its exit code must agree. */
async function script(suite: string, name: string, args: readonly string[]): Promise<SuiteResult> {
  const file = resultFile(suite);
  const program = path.join(projectRoot, 'out/test', `${name}.js`);
  const exit = await run(process.execPath, ['--enable-source-maps', program, ...args], { LEASEHOLD_TEST_RESULT: file });
  const result = readResult(file, exit);
  if (exit === 'exit code 0' || result.failed > 0) return result;
  console.error(`Every test of ${suite} passed, and yet its run ended with ${exit}.`);
  return { ...result, failed: 1 };
}

function resultFile(suite: string): string {
  return path.join(scratch, `${suite}.json`);
}

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    running = spawn(command, args, { cwd: projectRoot, stdio: 'inherit', env });
    running.once('error', reject);
    running.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}
