import { format } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './findChromium';
import type { ServerHost } from './serverHost';
import { type WorkbenchTarget, workbenchUrl } from './workbenchUrl';

export interface WorkbenchOptions extends WorkbenchTarget {
  readonly onLog?: (type: string, text: string) => void;
  readonly onExit?: (code: number) => void;
}

export interface Workbench {
  readonly browser: Browser;
  readonly page: Page;
}

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens a window of the host in a headless browser. */
export async function openWorkbench(host: ServerHost, options: WorkbenchOptions): Promise<Workbench> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    return { browser, page: await openPage(browser, host, options) };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openPage(browser: Browser, host: ServerHost, options: WorkbenchOptions): Promise<Page> {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const { onLog, onExit } = options;
  if (onLog)
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => onLog(type, format(...args)));
  if (onExit) await page.exposeFunction('codeAutomationExit', (code: number) => onExit(code));
  await page.goto(workbenchUrl(host, options));
  return page;
}
