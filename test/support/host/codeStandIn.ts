// Takes the arguments of a desktop VS Code under test and runs the VS Code in the browser instead; code-stand-in.sh starts it.
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { projectRoot } from '../projectRoot';
import { exitOnSignals } from './exitOnSignals';
import { ServerHost } from './serverHost';
import { testRun } from './testRun';

const TIMEOUT_MS = 240_000;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    // The rest of a desktop's flags has no meaning here.
    strict: false,
    options: {
      extensionDevelopmentPath: { type: 'string' },
      extensionTestsPath: { type: 'string' },
    },
  });
  const [folder] = positionals;
  const { extensionDevelopmentPath: extension, extensionTestsPath: tests } = values;
  if (!folder || typeof extension !== 'string' || typeof tests !== 'string') {
    throw new Error('Give a folder, --extensionDevelopmentPath=DIR and --extensionTestsPath=MODULE.');
  }
  const host = await ServerHost.start({ root: projectRoot });
  try {
    const options = {
      folder: path.resolve(folder),
      extension: localPath(extension),
      tests: localPath(tests),
      timeoutMs: TIMEOUT_MS,
    };
    const { reason, exitCode, details } = await testRun(host, options);
    if (exitCode === undefined) console.error(`${reason}\n${details}`);
    return exitCode ?? 3;
  } finally {
    await host.stop();
  }
}

function localPath(address: string): string {
  return address.startsWith('file:') ? fileURLToPath(address) : address;
}

exitOnSignals();
main().then(
  code => process.exit(code),
  error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(3);
  },
);
