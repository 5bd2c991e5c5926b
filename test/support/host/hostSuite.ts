// The host suite: Mocha inside the extension host of a real VS Code in the browser. The verdict is the result file's.
import { copyFileSync, existsSync } from 'node:fs';
import * as path from 'node:path';
import { HostScenario } from './hostScenario';
import { openWorkbench } from './openWorkbench';
import { ServerHost } from './serverHost';

const ROOT = path.resolve(__dirname, '../../../..');
const TIMEOUT_MS = 240_000;

async function main(): Promise<number> {
  const scenario = new HostScenario();
  const host = await ServerHost.start({ root: ROOT, environment: scenario.environment });
  const errors: string[] = [];
  try {
    const { end, close } = await runTests(host, scenario, errors);
    const reason = await end;
    const result = path.join(scenario.out, 'result.json');
    process.stdout.write(scenario.read('output.txt') ?? '');
    if (existsSync(result)) copyFileSync(result, process.env.LEASEHOLD_TEST_RESULT ?? path.join(ROOT, 'out/host.json'));
    else {
      const last = scenario.read('current.txt') ?? 'none had started';
      console.error(`The host ended before the suite did (${reason}); last test: ${last}.`);
      console.error([...errors.slice(-5), ...host.log.split('\n').slice(-8)].join('\n'));
    }
    await close();
    return existsSync(result) ? 0 : 1;
  } finally {
    await host.stop();
    scenario.dispose();
  }
}

async function runTests(host: ServerHost, scenario: HostScenario, errors: string[]) {
  let ended: (reason: string) => void = () => {};
  const end = new Promise<string>(resolve => (ended = resolve));
  const { browser, page } = await openWorkbench(host, {
    folder: scenario.workspace,
    extension: ROOT,
    tests: path.join(ROOT, 'out/test/host/run'),
    onLog: (type, text) => void (type === 'error' && errors.push(text)),
    onExit: code => ended(`exit ${code}`),
  });
  page.on('crash', () => ended('the page crashed'));
  const watch = setInterval(() => {
    if (host.extensionHostExit) ended(host.extensionHostExit);
  }, 200);
  const deadline = setTimeout(() => ended(`no end within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
  const close = async () => {
    clearInterval(watch);
    clearTimeout(deadline);
    await page.goto('about:blank');
    await host.drained();
    await browser.close();
  };
  return { end, close };
}

main().then(
  code => process.exit(code),
  error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
