import * as vscode from 'vscode';
import { DisposableStore } from './disposableStore';
import { gitApi } from './git/gitExtension';

/**
 * The directories whose repositories matter: the workspace folders and, as soon as the built-in git extension has
 * found them, the repositories inside or around them. Calls back with the first at once, and again after a change.
 */
export class OpenFolders {
  private readonly store = new DisposableStore();
  private repositories: () => readonly string[] = () => [];

  constructor(
    private readonly onChange: (folders: readonly string[]) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.tell()));
    this.tell();
    this.followGit().catch(onFailure);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async followGit(): Promise<void> {
    const git = await gitApi();
    if (!git) return;
    this.repositories = () => git.repositories.map(repository => repository.rootUri.fsPath);
    this.store.add(git.onDidOpenRepository(() => this.tell()));
    this.store.add(git.onDidCloseRepository(() => this.tell()));
    this.tell();
  }

  private tell(): void {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    this.onChange([...folders.map(({ uri }) => uri.fsPath), ...this.repositories()]);
  }
}
