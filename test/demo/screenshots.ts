// npm run screenshots: the README's pictures, made from the running product: media/demo-dark.png and media/demo-light.png.
import * as path from 'node:path';
import { exitOnSignals } from '../support/host/exitOnSignals';
import { openWorkbench } from '../support/host/openWorkbench';
import { ServerHost } from '../support/host/serverHost';
import { WorkbenchPage } from '../support/host/workbenchPage';
import { projectRoot } from '../support/projectRoot';
import { DemoWorld } from './demoWorld';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;
const MINUTE_MS = 60_000;

/** Calm leases, as the demo's agents would hold them. */
function writeLeases({ home, worktreeCheckoutId }: DemoWorld): void {
  const main = home.checkoutId;
  home.writeLease({ owner: 'JOB-1842', resourceKey: `workspace:${main}`, timeToLiveMs: 4 * MINUTE_MS });
  home.writeLease({ owner: 'JOB-1842', resourceKey: `path:${main}:src/auth`, timeToLiveMs: 4 * MINUTE_MS });
  home.writeLease({ owner: 'process:proc_login', resourceKey: 'build-cache:app', timeToLiveMs: 9 * MINUTE_MS });
  home.writeLease({
    owner: 'plugin:review-7',
    resourceKey: `workspace:${worktreeCheckoutId}`,
    timeToLiveMs: 2 * MINUTE_MS,
    members: { checkoutId: worktreeCheckoutId },
  });
}

async function take(theme: keyof typeof THEMES): Promise<void> {
  const world = new DemoWorld();
  const host = await ServerHost.start({
    root: projectRoot,
    settings: {
      'workbench.colorTheme': THEMES[theme],
      'editor.minimap.enabled': false,
      'window.title': 'leasehold-demo',
    },
    environment: { FORGE_CONTROLLER_HOME: world.home.path },
  });
  try {
    world.stageChange();
    const openFile = path.join(world.workspace, 'src/auth/session.ts');
    const { browser, page } = await openWorkbench(host, { folder: world.workspace, openFile, extension: projectRoot });
    await page.setViewportSize({ width: 1120, height: 640 });
    const code = new WorkbenchPage(page);
    await code.ready();
    await page.getByRole('tab', { name: /^session\.ts/ }).waitFor();
    await code.openContainer('Leases');
    writeLeases(world);
    await code.row('Active Leases', 'src/auth').waitFor();
    await code.run('Leases: Commit (Gated)');
    await code.type('Sessions last four hours');
    await code.notification('Commit did not run').waitFor();
    await code.row('Blockers', 'Your commit did not run').waitFor();
    await code.screenshot(path.join(projectRoot, 'media', `demo-${theme}.png`));
    await page.goto('about:blank');
    await host.drained();
    await browser.close();
  } finally {
    await host.stop();
    world.dispose();
  }
}

async function main(): Promise<void> {
  for (const theme of Object.keys(THEMES) as (keyof typeof THEMES)[]) await take(theme);
}

exitOnSignals();
main().then(
  () => process.exit(0),
  error => {
    console.error(error);
    process.exit(1);
  },
);
