import { mkdirSync } from 'node:fs';
import * as path from 'node:path';
import { HostScenario } from '../support/host/hostScenario';
import { openWorkbench, type Workbench } from '../support/host/openWorkbench';
import { ServerHost } from '../support/host/serverHost';
import { WorkbenchPage } from '../support/host/workbenchPage';
import { projectRoot } from '../support/projectRoot';

export const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;

/** One window of a real VS Code that shows a repository whose controller home the test writes. */
export class UiWindow {
  private readonly others: Workbench[] = [];

  private constructor(
    readonly scenario: HostScenario,
    private readonly host: ServerHost,
    private readonly workbench: Workbench,
    readonly code: WorkbenchPage,
  ) {}

  /** `installed` are directories of extensions beside ours. */
  static async open(
    theme: keyof typeof THEMES,
    settings: Record<string, unknown> = {},
    installed: readonly string[] = [],
  ): Promise<UiWindow> {
    const scenario = new HostScenario();
    const host = await ServerHost.start({
      root: projectRoot,
      settings: { 'workbench.colorTheme': THEMES[theme], 'workbench.hover.delay': 100, ...settings },
      environment: scenario.environment,
      installed,
    });
    const workbench = await openWorkbench(host, { folder: scenario.workspace, extension: projectRoot });
    workbench.page.setDefaultTimeout(15_000);
    const window = new UiWindow(scenario, host, workbench, new WorkbenchPage(workbench.page));
    try {
      await window.code.ready();
      await window.code.openContainer('Leases');
    } catch (error) {
      await window.keepScreenshot(`open ${theme}`);
      await window.close();
      throw error;
    }
    return window;
  }

  /** Another window on the same repository, with an extension host of its own. */
  async openSecond(): Promise<WorkbenchPage> {
    const second = await openWorkbench(this.host, { folder: this.scenario.workspace, extension: projectRoot });
    this.others.push(second);
    second.page.setDefaultTimeout(15_000);
    const code = new WorkbenchPage(second.page);
    await code.ready();
    await code.openContainer('Leases');
    return code;
  }

  /** Keeps what was on screen when a test failed. */
  async keepScreenshot(name: string): Promise<void> {
    const directory = path.join(projectRoot, 'out/failures');
    mkdirSync(directory, { recursive: true });
    const file = (suffix: string) => path.join(directory, `${name.replace(/\W+/g, '-')}${suffix}.png`);
    await this.code.screenshot(file(''));
    for (const [index, { page }] of this.others.entries()) {
      await new WorkbenchPage(page).screenshot(file(`-window-${index + 2}`));
    }
  }

  async close(): Promise<void> {
    const windows = [this.workbench, ...this.others];
    for (const { page } of windows) await page.goto('about:blank');
    await this.host.drained();
    for (const { browser } of windows) await browser.close();
    await this.host.stop();
    this.scenario.dispose();
  }
}
