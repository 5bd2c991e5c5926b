// npm start: a demo workspace, agents at work in it, and a real VS Code on a loopback port. `--desktop` opens it in the
// VS Code that is installed. Ctrl-C ends all of it.
import { spawn } from 'node:child_process';
import { ServerHost } from '../support/host/serverHost';
import { workbenchUrl } from '../support/host/workbenchUrl';
import { projectRoot } from '../support/projectRoot';
import { DemoAgents } from './demoAgents';
import { DemoWorld } from './demoWorld';

const HINTS = [
  'Open Leases in the activity bar: three agents take, renew and give back leases.',
  'A change is staged: run "Leases: Commit (Gated)" from the palette (F1), while JOB-1842 works and while it rests.',
  'Ctrl-C ends the demo.',
];

async function main(desktop: boolean): Promise<void> {
  const end = interrupted();
  const world = new DemoWorld();
  const ending: (() => unknown)[] = [() => world.dispose()];
  try {
    world.stageChange();
    const agents = new DemoAgents(world);
    ending.push(() => agents.stop());
    if (desktop) await openDesktop(world);
    else {
      const environment = { FORGE_CONTROLLER_HOME: world.home.path };
      const host = await ServerHost.start({ root: projectRoot, environment });
      ending.push(() => host.stop());
      console.log(`\nLeasehold demo: ${workbenchUrl(host, { folder: world.workspace, extension: projectRoot })}\n`);
    }
    for (const hint of HINTS) console.log(hint);
    await end;
  } finally {
    for (const step of ending.reverse()) await step();
  }
}

/** Resolves when somebody wants the demo to end. */
function interrupted(): Promise<void> {
  return new Promise(resolve => {
    const keepAlive = setInterval(() => {}, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        clearInterval(keepAlive);
        resolve();
      });
    }
  });
}

function openDesktop(world: DemoWorld): Promise<void> {
  const env = { ...process.env, FORGE_CONTROLLER_HOME: world.home.path };
  const args = ['--new-window', `--extensionDevelopmentPath=${projectRoot}`, world.workspace];
  const code = spawn('code', args, { env, stdio: 'ignore', shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    code.once('error', () => {
      reject(
        new Error(
          'The command `code` is not on PATH: install it from VS Code ("Shell Command: Install"), or run `npm start`.',
        ),
      );
    });
    code.once('exit', status => {
      if (status === 0) resolve();
      else reject(new Error(`VS Code could not be opened (exit code ${status}).`));
    });
  });
}

main(process.argv.includes('--desktop')).then(
  () => process.exit(0),
  error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
