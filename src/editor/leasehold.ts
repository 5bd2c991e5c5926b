import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { systemClock } from '../core/clock';
import { watchHome } from '../core/picture/homeWatcher';
import { LivePicture } from '../core/picture/livePicture';
import { probeProcess } from '../core/process/liveness';
import { nodeFileSystem } from '../core/storage/fileSystem';
import { ActivityLog } from './activityLog';
import { chooseHome } from './commands/chooseHome';
import { CommitCommand } from './commands/commit';
import { explain, showBlocker } from './commands/explain';
import { copyRecord, openRecord } from './commands/recordCommands';
import { DisposableStore } from './disposableStore';
import { GatedOperation } from './gatedOperation';
import { GateState } from './gateState';
import { COMMANDS, type CommandName } from './ids';
import { LeaseViews } from './leaseViews';
import { OpenFolders } from './openFolders';
import { reportFailure } from './reportFailure';
import { homeSurroundings, onDidChangeSettings } from './settings';

/** Everything that is behind the commands and views of one window. */
export interface Leasehold {
  readonly views: LeaseViews;
  readonly commands: Readonly<Record<CommandName, (...args: never[]) => unknown>>;
  dispose(): void;
}

/** Builds the objects in the order in which they depend on each other. Nothing else happens here. */
export function startLeasehold(version: string): Leasehold {
  const store = new DisposableStore();
  const log = store.add(vscode.window.createOutputChannel('Leasehold', { log: true }));
  log.info(`Leasehold ${version} on Node ${process.versions.node}, process ${process.pid}.`);

  const onError = (error: unknown) =>
    log.error('A view could not be made.', error instanceof Error ? error : String(error));
  const clock = systemClock();
  const fileSystem = nodeFileSystem;
  const realPath = fs.realpathSync.native;
  const probe = probeProcess;
  const live = store.add(
    new LivePicture({ fileSystem, clock, realPath, watchHome, surroundings: homeSurroundings, onError }),
  );
  const gateState = new GateState(onError);
  const activity = new ActivityLog(onError);
  const views = store.add(new LeaseViews({ clock, probe, live, gateState, activity }));
  const gated = new GatedOperation({ clock, fileSystem, probe, live, gateState, activity, version });
  const commit = new CommitCommand({ live, gated, gateState, activity, log });

  store.add(
    new OpenFolders(
      folders => live.setFolders(folders),
      error => log.warn('Git is not available.', String(error)),
    ),
  );
  store.add(onDidChangeSettings(() => void live.refresh()));
  store.add(live.onDidChange(({ home, watching }) => log.debug('The picture changed.', { home, watching })));
  live.refresh().then(
    () => views.firstRead(),
    error => reportFailure(log, 'Reading the controller home', error),
  );

  return {
    views,
    commands: {
      [COMMANDS.chooseHome]: chooseHome,
      [COMMANDS.commit]: (source?: { rootUri?: vscode.Uri }) => commit.run(source),
      [COMMANDS.copyRecord]: copyRecord,
      [COMMANDS.explain]: () => explain(views, gateState),
      [COMMANDS.openRecord]: openRecord,
      [COMMANDS.refresh]: () => live.refresh(),
      [COMMANDS.showBlocker]: (refusalId?: string) => showBlocker(views, refusalId),
      [COMMANDS.showLog]: () => log.show(),
    },
    dispose: () => store.dispose(),
  };
}
