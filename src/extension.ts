import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { COMMANDS } from './editor/ids';
import type { Leasehold } from './editor/leasehold';
import type { LeaseViews } from './editor/leaseViews';

/**
 * Registers the commands and starts the rest right after VS Code counts the extension as activated: what is loaded here
 * holds up every other extension. A command that comes earlier waits. Tests inside the extension host get the views.
 */
export function activate(context: vscode.ExtensionContext): Promise<LeaseViews> | undefined {
  const starting = start(context);
  for (const id of Object.values(COMMANDS)) {
    const run = async (...args: never[]) => (await starting).commands[id](...args);
    context.subscriptions.push(vscode.commands.registerCommand(id, run));
  }
  const inTest = context.extensionMode === vscode.ExtensionMode.Test;
  return inTest ? starting.then(({ views }) => views) : undefined;
}

async function start(context: vscode.ExtensionContext): Promise<Leasehold> {
  await setImmediate();
  const { startLeasehold } = await import('./editor/leasehold');
  const leasehold = startLeasehold(String(context.extension.packageJSON.version));
  context.subscriptions.push(leasehold);
  return leasehold;
}
