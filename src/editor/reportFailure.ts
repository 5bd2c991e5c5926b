import * as vscode from 'vscode';
import { LeaseError, type LeaseErrorCode } from '../core/leaseError';
import { plainText } from '../core/plainText';
import { COMMANDS } from './ids';

/** What happened, in words, for the codes that a person can meet. */
const SENTENCES: Partial<Record<LeaseErrorCode, string>> = {
  COUNTER_UNREADABLE: 'a fencing counter in the controller home cannot be read',
  LEASE_UNREADABLE: 'the leases in the controller home cannot be read',
  LOCK_HELD: 'another program kept the repository lock for too long',
  LOCK_UNREADABLE: 'the repository lock cannot be read',
  REGISTRY_UNREADABLE: 'the registry in the controller home cannot be read, so whose leases count cannot be told',
  STORAGE_FAILED: 'the controller home could not be written',
  WRITER_FENCED: 'an agent runtime does not let this editor write in the controller home',
};

/** Tells a person that something broke: one sentence and one next step; the log has the rest. */
export function reportFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  log.error(`${what} failed.`, error instanceof Error ? error : String(error));
  const why = error instanceof LeaseError ? SENTENCES[error.code] : undefined;
  const text = why ?? plainText(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  void vscode.window.showErrorMessage(`${what} failed: ${text}.`, 'Show Log').then(async choice => {
    if (choice) await vscode.commands.executeCommand(COMMANDS.showLog);
  });
}
