import * as os from 'node:os';
import * as vscode from 'vscode';
import type { HomeSurroundings } from '../core/controller/controllerHome';

const SECTION = 'leasehold';

/** What decides where the controller home is; the setting has machine scope, so no workspace can redirect it. */
export function homeSurroundings(): HomeSurroundings {
  return {
    setting: vscode.workspace.getConfiguration(SECTION).get<string>('controllerHome'),
    environment: process.env,
    homeDirectory: os.homedir(),
    platform: process.platform,
  };
}

export async function setControllerHome(path: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update('controllerHome', path, vscode.ConfigurationTarget.Global);
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(SECTION)) listener();
  });
}
