import * as vscode from 'vscode';
import { setControllerHome } from '../settings';

/** *Choose Controller Home*: asks for the directory and writes the setting. */
export async function chooseHome(): Promise<void> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: 'Use as Controller Home',
      title: 'Controller home of the agents',
    })) ?? [];
  if (chosen) await setControllerHome(chosen.fsPath);
}
