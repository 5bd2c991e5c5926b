import * as vscode from 'vscode';

/** The part of the built-in git extension's API (version 1) that Leasehold uses. */
export interface GitApi {
  readonly git: { readonly path: string };
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<string>;
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD: { readonly commit?: string; readonly name?: string } | undefined;
    readonly indexChanges: readonly unknown[];
    readonly mergeChanges: readonly unknown[];
  };
  /** Reads the repository's state anew. */
  status(): Promise<void>;
  commit(message: string, options?: GitCommitOptions): Promise<void>;
}

export interface GitCommitOptions {
  readonly signCommit?: boolean;
  readonly signoff?: boolean;
  /** null: no command afterwards; it would run inside the commit's lease. */
  readonly postCommitCommand?: string | null;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The built-in git extension's API; undefined when it is absent or turned off. Activates it when needed. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  const git = await extension.activate();
  return git.enabled ? await initialized(git.getAPI(1)) : undefined;
}

/** Before that it knows no repository. */
function initialized(api: GitApi): Promise<GitApi> {
  if (api.state === 'initialized') return Promise.resolve(api);
  return new Promise(resolve => {
    const listener = api.onDidChangeState(state => {
      if (state !== 'initialized') return;
      listener.dispose();
      resolve(api);
    });
  });
}
