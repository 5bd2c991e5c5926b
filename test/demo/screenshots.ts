// npm run screenshots: the README's pictures, made from the running product: media/demo-dark.png and media/demo-light.png.
import * as path from 'node:path';
import type { Page } from 'playwright-core';
import { exitOnSignals } from '../support/host/exitOnSignals';
import { openWorkbench } from '../support/host/openWorkbench';
import { ServerHost } from '../support/host/serverHost';
import { WorkbenchPage } from '../support/host/workbenchPage';
import { projectRoot } from '../support/projectRoot';
import { DemoWorld } from './demoWorld';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;
const MINUTE_MS = 60_000;

/** Calm leases, as the demo's agents would hold them. */
function writeLeases({ home, worktreeCheckoutId: linked }: DemoWorld): void {
  const main = home.checkoutId;
  const acquiredAt = new Date(Date.now() - 3 * MINUTE_MS).toISOString();
  const write = (owner: string, resourceKey: string, minutes: number, members = {}) =>
    home.writeLease({ owner, resourceKey, timeToLiveMs: minutes * MINUTE_MS, members: { acquiredAt, ...members } });
  write('JOB-1842', `workspace:${main}`, 5);
  write('JOB-1842', `path:${main}:src/auth`, 5);
  write('plugin:build-7', 'build-cache', 10);
  write('process:proc_login', `path:${linked}:docs/login.md`, 3, { checkoutId: linked });
}

/** Waits until the language service, which tells its progress in the status bar, has come and is done. */
async function analyzed(page: Page): Promise<void> {
  const progress = page.locator('.statusbar-item').getByText("Analyzing 'session.ts'");
  await progress.waitFor();
  await progress.waitFor({ state: 'detached' });
}

/** Drags the border of the sidebar, so that descriptions are not cut off. */
async function widenSidebar(page: Page, by: number): Promise<void> {
  const sidebar = await page.locator('.part.sidebar').boundingBox();
  if (!sidebar) throw new Error('There is no sidebar.');
  const [x, y] = [sidebar.x + sidebar.width, sidebar.y + sidebar.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y, { steps: 5 });
  await page.mouse.up();
}

async function take(theme: keyof typeof THEMES): Promise<void> {
  const world = new DemoWorld();
  const host = await ServerHost.start({
    root: projectRoot,
    settings: {
      'workbench.colorTheme': THEMES[theme],
      'editor.minimap.enabled': false,
      'editor.occurrencesHighlight': 'off',
      'editor.lightbulb.enabled': 'off',
      'window.title': 'leasehold-demo',
    },
    environment: { FORGE_CONTROLLER_HOME: world.home.path },
  });
  try {
    world.stageChange();
    const openFile = path.join(world.workspace, 'src/auth/session.ts');
    const { browser, page } = await openWorkbench(host, { folder: world.workspace, openFile, extension: projectRoot });
    // Small, so that it can be read at the width of a README.
    await page.setViewportSize({ width: 1180, height: 640 });
    const code = new WorkbenchPage(page);
    await code.ready();
    await page.getByRole('tab', { name: /^session\.ts/ }).waitFor();
    await analyzed(page);
    await code.openContainer('Leases');
    await widenSidebar(page, 130);
    writeLeases(world);
    await code.row('Active Leases', 'src/auth').waitFor();
    await code.run('Leases: Commit (Gated)');
    await code.type('Sessions last four hours');
    await code.notification('Commit did not run').waitFor();
    await code.row('Blockers', 'Your commit did not run').waitFor();
    await page.locator('.part.activitybar .badge[aria-label*="1 pending change"]').getByText('1').waitFor();
    await page.mouse.move(800, 400);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
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
