import * as vscode from 'vscode';
import { failureText, outputOf } from './failureText';
import { COMMANDS } from './ids';

/** Tells a person that something broke: one sentence and one next step; the log has the rest. */
export function reportFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  log.error(`${what} failed.`, error instanceof Error ? error : String(error));
  const output = outputOf(error);
  if (output) log.error(output);
  void vscode.window.showErrorMessage(`${what} failed: ${failureText(error)}.`, 'Show Log').then(async choice => {
    if (choice) await vscode.commands.executeCommand(COMMANDS.showLog);
  });
}
