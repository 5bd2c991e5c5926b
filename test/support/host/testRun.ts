import { openWorkbench } from './openWorkbench';
import type { ServerHost } from './serverHost';

export interface TestRunOptions {
  readonly folder: string;
  readonly extension: string;
  /** Module that runs tests inside the extension host. */
  readonly tests: string;
  readonly timeoutMs: number;
}

/** How a run of tests inside an extension host ended. Whether they passed is told by the result file alone. */
export interface TestRunEnd {
  /** What VS Code said, or what went wrong, in words. */
  readonly reason: string;
  /** Given by VS Code. It says 0 after a crash of the extension host as well. */
  readonly exitCode: number | undefined;
  /** The last things that VS Code and its server wrote, for a run that left no result. */
  readonly details: string;
}

/** Runs tests in a window of the host, from opening it until every extension host has ended. */
export async function testRun(host: ServerHost, options: TestRunOptions): Promise<TestRunEnd> {
  let ended: (end: { reason: string; exitCode?: number }) => void = () => {};
  const end = new Promise<{ reason: string; exitCode?: number }>(resolve => (ended = resolve));
  const errors: string[] = [];
  const { timeoutMs, ...window } = options;
  const deadline = setTimeout(() => ended({ reason: `timeout: no end within ${timeoutMs / 1000} s` }), timeoutMs);
  const watch = setInterval(() => {
    if (host.extensionHostExit) ended({ reason: host.extensionHostExit });
  }, 200);
  try {
    const { browser, page } = await openWorkbench(host, {
      ...window,
      onLog: (type, text) => void (type === 'error' && errors.push(text)),
      onExit: exitCode => ended({ reason: `VS Code said exit ${exitCode}`, exitCode }),
    });
    page.on('crash', () => ended({ reason: 'the page crashed' }));
    const { reason, exitCode } = await end;
    const crash = host.extensionHostExit;
    const details = [...errors.slice(-5), ...host.log.split('\n').slice(-8)].join('\n');
    // A crashed page cannot be left; closing the browser is then all that is needed.
    await page.goto('about:blank').catch(() => {});
    await host.drained();
    await browser.close();
    return { reason: crash && crash !== reason ? `${reason}; ${crash}` : reason, exitCode, details };
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
  }
}
