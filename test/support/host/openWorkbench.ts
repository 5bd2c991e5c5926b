import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { format } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './findChromium';
import type { ServerHost } from './serverHost';

export interface WorkbenchOptions {
  /** Folder that the window opens. */
  readonly folder: string;
  /** Directory of the extension under development; VS Code in the browser takes one. */
  readonly extension?: string;
  /** Module that runs tests inside the extension host. */
  readonly tests?: string;
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

/** The address of a window; the payload is how VS Code in the browser takes what a desktop takes as flags. */
function workbenchUrl(host: ServerHost, { folder, extension, tests }: WorkbenchOptions): string {
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (extension !== undefined) {
    const link = linkTo(host, extension);
    payload.push(['extensionDevelopmentPath', host.authority + link]);
    if (tests) payload.push(['extensionTestsPath', host.authority + tests.replace(extension, link)]);
  }
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  return `${host.url}/?${query}`;
}

/**
 * VS Code reaches an extension through a link outside the project: themes below a development extension win over the
 * configured one, and the host's own themes lie below the project.
 */
function linkTo(host: ServerHost, directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 8);
  const link = path.join(host.directory, `extension-${name}`);
  if (!fs.existsSync(link)) fs.symlinkSync(directory, link);
  return link;
}
