import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What a run of tests came to. A skipped test counts as failed: nothing is skipped silently. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
}

/** The part of Mocha's statistics that counts. */
export interface MochaCounts {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
}

export function writeResult(file: string, counts: MochaCounts): void {
  writeFileSync(file, JSON.stringify({ passed: counts.passes, failed: counts.failures + counts.pending }));
}

/** The result that a run left behind; a run without one, or with no test in it, has failed. */
export function readResult(file: string, exit: string): SuiteResult {
  if (!existsSync(file)) {
    console.error(`The run left no result (${exit}).`);
    return { passed: 0, failed: 1 };
  }
  const result = JSON.parse(readFileSync(file, 'utf8')) as SuiteResult;
  if (result.passed + result.failed > 0) return result;
  console.error('No test was run.');
  return { passed: 0, failed: 1 };
}
