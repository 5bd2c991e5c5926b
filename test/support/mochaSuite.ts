// node out/test/support/mochaSuite.js SUITE RESULT: runs out/test/SUITE/**/*.test.js in this process.
import { readdirSync } from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';
import { exitOnSignals } from './host/exitOnSignals';
import { writeResult } from './suiteResult';

/** Milliseconds after which a test of a suite counts as hung. */
const TIMEOUTS: Readonly<Record<string, number>> = { unit: 10_000, processes: 90_000, peers: 90_000, ui: 120_000 };

const [suite = 'unit', resultFile = ''] = process.argv.slice(2);
const directory = path.join(__dirname, '..', suite);
exitOnSignals();
const mocha = new Mocha({
  ui: 'bdd',
  timeout: TIMEOUTS[suite] ?? 20_000,
  forbidOnly: true,
  forbidPending: true,
  ...(process.env.TEST_GREP ? { grep: process.env.TEST_GREP } : {}),
});
for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
  if (file.endsWith('.test.js') && !file.includes('node_modules')) mocha.addFile(path.join(directory, file));
}
const runner = mocha.run(failures => {
  writeResult(resultFile, {
    passes: runner.stats?.passes ?? 0,
    failures,
    pending: runner.stats?.pending ?? 0,
  });
  process.exit(failures === 0 ? 0 : 1);
});
