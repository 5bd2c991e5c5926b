import { mkdirSync } from 'node:fs';
import * as path from 'node:path';
import { HostScenario } from '../support/host/hostScenario';
import { openWorkbench, type Workbench } from '../support/host/openWorkbench';
import { ServerHost } from '../support/host/serverHost';
import { WorkbenchPage } from '../support/host/workbenchPage';

const ROOT = path.resolve(__dirname, '../../..');

export const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;

/** One window of a real VS Code that shows a repository whose controller home the test writes. */
export class UiWindow {
  private constructor(
    readonly scenario: HostScenario,
    private readonly host: ServerHost,
    private readonly workbench: Workbench,
    readonly code: WorkbenchPage,
  ) {}

  static async open(theme: keyof typeof THEMES, settings: Record<string, unknown> = {}): Promise<UiWindow> {
    const scenario = new HostScenario();
    const host = await ServerHost.start({
      root: ROOT,
      settings: { 'workbench.colorTheme': THEMES[theme], 'workbench.hover.delay': 100, ...settings },
      environment: scenario.environment,
    });
    const workbench = await openWorkbench(host, { folder: scenario.workspace, extension: ROOT });
    workbench.page.setDefaultTimeout(15_000);
    const code = new WorkbenchPage(workbench.page);
    await code.ready();
    await code.openContainer('Leases');
    return new UiWindow(scenario, host, workbench, code);
  }

  /** Keeps what was on screen when a test failed. */
  async keepScreenshot(name: string): Promise<void> {
    const directory = path.join(ROOT, 'out/failures');
    mkdirSync(directory, { recursive: true });
    await this.code.screenshot(path.join(directory, `${name.replace(/\W+/g, '-')}.png`));
  }

  async close(): Promise<void> {
    await this.workbench.page.goto('about:blank');
    await this.host.drained();
    await this.workbench.browser.close();
    await this.host.stop();
    this.scenario.dispose();
  }
}
