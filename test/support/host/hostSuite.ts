// The host suite: Mocha inside the extension host of a real VS Code in the browser. The verdict is the result file's.
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../projectRoot';
import { exitOnSignals } from './exitOnSignals';
import { HostScenario } from './hostScenario';
import { hostVerdict } from './hostVerdict';
import { ServerHost } from './serverHost';
import { testRun } from './testRun';

const TIMEOUT_MS = Number(process.env.LEASEHOLD_TEST_TIMEOUT_S ?? 240) * 1000;

async function main(): Promise<number> {
  const scenario = new HostScenario();
  try {
    const host = await ServerHost.start({ root: projectRoot, environment: scenario.environment });
    try {
      const { reason, details } = await testRun(host, {
        folder: scenario.workspace,
        extension: projectRoot,
        tests: path.join(projectRoot, 'out/test/host/run'),
        timeoutMs: TIMEOUT_MS,
      });
      const result = hostVerdict(scenario, reason, details);
      writeFileSync(
        process.env.LEASEHOLD_TEST_RESULT ?? path.join(projectRoot, 'out/host.json'),
        JSON.stringify(result),
      );
      return result.failed === 0 ? 0 : 1;
    } finally {
      await host.stop();
    }
  } finally {
    scenario.dispose();
  }
}

exitOnSignals();
main().then(
  code => process.exit(code),
  error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
