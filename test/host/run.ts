// Entry that VS Code calls inside the extension host: runs out/test/host/**/*.test.js with Mocha.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { install } from 'source-map-support';
import { writeResult } from '../support/suiteResult';

// VS Code owns Error.prepareStackTrace, so Node's own source maps have no effect here.
install({ environment: 'node', handleUncaughtExceptions: false });

export async function run(): Promise<void> {
  const directory = process.env.LEASEHOLD_TEST_OUT;
  if (!directory) throw new Error('LEASEHOLD_TEST_OUT names no directory for the result.');
  const at = (name: string) => path.join(directory, name);
  // To a file, which keeps the order and survives a crash; the console arrives mixed with the workbench's own log.
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(at('output.txt'), `${format(...args)}\n`);
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 20_000,
    forbidOnly: true,
    forbidPending: true,
    ...(process.env.TEST_GREP ? { grep: process.env.TEST_GREP } : {}),
  });
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.js')) mocha.addFile(path.join(__dirname, file));
  }
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(failed => {
      writeResult(at('result.json'), {
        passes: runner.stats?.passes ?? 0,
        failures: failed,
        pending: runner.stats?.pending ?? 0,
      });
      resolve(failed);
    });
    runner.on('test', test => writeFileSync(at('current.txt'), test.fullTitle()));
  });
  if (failures > 0) throw new Error(`${failures} test(s) failed`);
}
