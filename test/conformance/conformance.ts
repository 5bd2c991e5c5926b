// npm run conformance -- DIR: runs every vector file in DIR against the code; ends with `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { resultOrError } from './agreement';
import { KINDS } from './kinds';
import { readVectorFiles } from './vectorFile';

const OWN_VECTORS = path.resolve(__dirname, '../../../test/conformance/vectors');

function main(directory: string): void {
  const files = readVectorFiles(directory);
  let passed = 0;
  const failures: string[] = [];
  for (const { kind, vectors } of files) if (!KINDS.has(kind)) console.log(`skipped kind ${kind} (${vectors.length})`);
  for (const { name, kind, vectors } of files) {
    const check = KINDS.get(kind);
    if (!check) continue;
    vectors.forEach((vector, index) => {
      const outcome = resultOrError(() => check(vector));
      const difference = 'error' in outcome ? outcome.error : outcome.result;
      if (difference === undefined) passed += 1;
      else failures.push(`failed ${name}#${index}: ${difference}`);
    });
  }
  for (const failure of failures) console.log(failure);
  console.log(`${passed} passed, ${failures.length} failed`);
  const result = process.env.LEASEHOLD_TEST_RESULT;
  if (result) writeFileSync(result, JSON.stringify({ passed, failed: failures.length }));
  process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
}

main(path.resolve(process.argv[2] ?? OWN_VECTORS));
