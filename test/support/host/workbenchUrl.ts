import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { ServerHost } from './serverHost';

export interface WorkbenchTarget {
  /** Folder that the window opens. */
  readonly folder: string;
  /** File that is open from the start. */
  readonly openFile?: string;
  /** Directory of the extension under development; VS Code in the browser takes one. */
  readonly extension?: string;
  /** Module that runs tests inside the extension host. */
  readonly tests?: string;
}

/** The address of a window; the payload is how VS Code in the browser takes what a desktop takes as flags. */
export function workbenchUrl(host: ServerHost, { folder, openFile, extension, tests }: WorkbenchTarget): string {
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (openFile !== undefined) payload.push(['openFile', host.authority + openFile]);
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
