import * as path from 'node:path';
import { readResult, type SuiteResult } from '../suiteResult';
import type { HostScenario } from './hostScenario';

/** What the suite inside the extension host came to; says which test was last when it left no result. */
export function hostVerdict(scenario: HostScenario, reason: string, details = ''): SuiteResult {
  process.stdout.write(scenario.read('output.txt') ?? '');
  if (scenario.read('result.json') === undefined) {
    const last = scenario.read('current.txt') ?? 'none had started';
    console.error(`The extension host ended before the suite did (${reason}); last test: ${last}.`);
    if (details) console.error(details);
  }
  return readResult(path.join(scenario.out, 'result.json'), reason);
}
