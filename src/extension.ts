import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { systemClock } from './core/clock';
import { watchHome } from './core/picture/homeWatcher';
import { LivePicture } from './core/picture/livePicture';
import { probeProcess } from './core/process/liveness';
import { nodeFileSystem } from './core/storage/fileSystem';
import { ActivityLog } from './editor/activityLog';
import { chooseHome } from './editor/commands/chooseHome';
import { CommitCommand } from './editor/commands/commit';
import { explain, showBlocker } from './editor/commands/explain';
import { copyRecord, openRecord } from './editor/commands/recordCommands';
import { DisposableStore } from './editor/disposableStore';
import { GatedOperation } from './editor/gatedOperation';
import { GateState } from './editor/gateState';
import { COMMANDS } from './editor/ids';
import { LeaseViews } from './editor/leaseViews';
import { OpenFolders } from './editor/openFolders';
import { reportFailure } from './editor/reportFailure';
import { homeSurroundings, onDidChangeSettings } from './editor/settings';

/**
 * Builds the objects in the order in which they depend on each other and registers them. Nothing else happens here.
 * Tests inside the extension host are given the views.
 */
export function activate(context: vscode.ExtensionContext): LeaseViews | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const log = store.add(vscode.window.createOutputChannel('Leasehold', { log: true }));
  const version = String(context.extension.packageJSON.version);
  log.info(`Leasehold ${version} on Node ${process.versions.node}, process ${process.pid}.`);

  const clock = systemClock();
  const fileSystem = nodeFileSystem;
  const realPath = fs.realpathSync.native;
  const probe = probeProcess;
  const live = store.add(new LivePicture({ fileSystem, clock, realPath, watchHome, surroundings: homeSurroundings }));
  const gateState = new GateState();
  const activity = new ActivityLog();
  const views = store.add(new LeaseViews({ clock, probe, live, gateState, activity }));
  const gated = new GatedOperation({ clock, fileSystem, probe, live, gateState, activity, version });
  const commit = new CommitCommand({ live, gated, gateState, activity, log });

  const failed = (what: string) => (error: unknown) => reportFailure(log, what, error);
  store.add(
    new OpenFolders(
      folders => live.setFolders(folders),
      error => log.warn('Git is not available.', String(error)),
    ),
  );
  store.add(onDidChangeSettings(() => void live.refresh()));
  store.add(
    live.onDidChange(picture => log.debug('The picture changed.', { home: picture.home, watching: picture.watching })),
  );
  live.refresh().then(() => views.firstRead(), failed('Reading the controller home'));

  const commands: Record<string, (...args: never[]) => unknown> = {
    [COMMANDS.chooseHome]: chooseHome,
    [COMMANDS.commit]: (source?: { rootUri?: vscode.Uri }) => commit.run(source),
    [COMMANDS.copyRecord]: copyRecord,
    [COMMANDS.explain]: () => explain(views, gateState),
    [COMMANDS.openRecord]: openRecord,
    [COMMANDS.refresh]: () => live.refresh(),
    [COMMANDS.showBlocker]: (refusalId?: string) => showBlocker(views, refusalId),
    [COMMANDS.showLog]: () => log.show(),
  };
  for (const [id, command] of Object.entries(commands)) store.add(vscode.commands.registerCommand(id, command));
  return context.extensionMode === vscode.ExtensionMode.Test ? views : undefined;
}
