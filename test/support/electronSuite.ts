// npm run test:electron: the host suite in a desktop VS Code, by @vscode/test-electron. The verdict is the result file's.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { downloadAndUnzipVSCode, runTests, SilentReporter } from '@vscode/test-electron';
import { HostScenario } from './host/hostScenario';
import { hostVerdict } from './host/hostVerdict';
import { quietSettings } from './host/quietSettings';
import { installPeers } from './installPeers';
import { projectRoot } from './projectRoot';

const STAND_IN = path.join(projectRoot, 'test/support/host/code-stand-in.sh');
const DOWNLOAD_TIMEOUT_MS = 15_000;
/** Longer than the stand-in gives itself. */
const TIMEOUT_MS = 300_000;
const FINISHED = 'exit code 0';

async function main(): Promise<number> {
  installPeers();
  const executable = await findExecutable();
  const scenario = new HostScenario();
  try {
    const reason = await runIn(executable, scenario);
    const { passed, failed } = hostVerdict(scenario, reason);
    console.log(`Ran in ${executable}.\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    scenario.dispose();
  }
}

/** The VS Code that VSCODE_EXECUTABLE names, else a downloaded one, else the stand-in. */
async function findExecutable(): Promise<string> {
  const named = process.env.VSCODE_EXECUTABLE;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`VSCODE_EXECUTABLE names ${named}, which does not exist.`);
  }
  const cachePath = path.join(projectRoot, '.vscode-test');
  try {
    return await downloadAndUnzipVSCode({ cachePath, timeout: DOWNLOAD_TIMEOUT_MS, reporter: new SilentReporter() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.platform === 'win32') throw new Error(`VS Code could not be downloaded: ${reason}`);
    console.log(`VS Code could not be downloaded (${reason}); VS Code in the browser stands in for it.`);
    return STAND_IN;
  }
}

/** Runs the suite and says how VS Code ended; its exit code is no verdict, since it is 0 after some crashes. */
async function runIn(vscodeExecutablePath: string, scenario: HostScenario): Promise<string> {
  const userData = path.join(scenario.directory, 'ud');
  mkdirSync(path.join(userData, 'User'), { recursive: true });
  writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify(quietSettings, null, 2));
  // runTests has no deadline of its own and ends its VS Code on SIGINT only: gently on the first, by force on the second.
  let reason = FINISHED;
  const interrupted = () => {
    reason = 'interrupted, or no end in time';
  };
  process.on('SIGINT', interrupted);
  const end = () => void process.emit('SIGINT');
  const deadlines = [setTimeout(end, TIMEOUT_MS), setTimeout(end, TIMEOUT_MS + 10_000)];
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: path.join(projectRoot, 'out/test/host/run'),
      launchArgs: [scenario.workspace, '--disable-extensions', `--user-data-dir=${userData}`],
      extensionTestsEnv: scenario.environment,
    });
    return reason;
  } catch (error) {
    return reason !== FINISHED ? reason : error instanceof Error ? error.message : String(error);
  } finally {
    for (const deadline of deadlines) clearTimeout(deadline);
    process.off('SIGINT', interrupted);
  }
}

main().then(
  code => process.exit(code),
  error => {
    console.error(error instanceof Error ? error.message : error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);
