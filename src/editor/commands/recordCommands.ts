import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { plainText } from '../../core/plainText';
import type { RowElement } from '../views/rowTree';

/** *Copy as JSON*: the record file of a row, as it lies on disk now. */
export async function copyRecord(element: RowElement | undefined): Promise<void> {
  const file = element?.row.file;
  if (!file) return;
  try {
    await vscode.env.clipboard.writeText(await readFile(file, 'utf8'));
  } catch {
    void vscode.window.showInformationMessage(
      `${plainText(element.row.label)} is gone or cannot be read, so nothing was copied.`,
    );
  }
}

/** *Open Record File*: shows the file itself; it belongs to the agents and is not meant to be edited. */
export async function openRecord(element: RowElement | undefined): Promise<void> {
  const file = element?.row.file;
  if (!file) return;
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
  } catch {
    void vscode.window.showInformationMessage(`${plainText(element.row.label)} is gone or cannot be opened.`);
  }
}
