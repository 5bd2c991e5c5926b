import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RepositoryIdentity } from '../../core/controller/repositoryIdentity';
import type { LivePicture } from '../../core/picture/livePicture';
import { plainText } from '../../core/plainText';
import { timeOfDay } from '../../core/timeOfDay';
import type { ActivityLog } from '../activityLog';
import { GatedOperation, type GatedOutcome, type GatedRequest } from '../gatedOperation';
import type { GateState, Refusal } from '../gateState';
import { type GitApi, type GitRepository, gitApi } from '../git/gitExtension';
import { COMMANDS } from '../ids';
import { reportFailure } from '../reportFailure';

interface Dependencies {
  readonly live: LivePicture;
  readonly gated: GatedOperation;
  readonly gateState: GateState;
  readonly activity: ActivityLog;
  readonly log: vscode.LogOutputChannel;
}

/** A commit may move the branch, so it claims refs besides workspace, index and head. */
const OWNERSHIP = { mutatesGitRefs: true } as const;

/** *Leases: Commit (Gated)*: commits what is staged in a picked repository, under a lease of its own. */
export class CommitCommand {
  private readonly busy = new Set<string>();

  constructor(private readonly dependencies: Dependencies) {}

  /** `source` is what a menu hands over: the source control that it was opened in. */
  async run(source?: { readonly rootUri?: vscode.Uri }): Promise<void> {
    try {
      const git = await gitApi();
      if (!git) {
        void vscode.window.showInformationMessage(
          'The built-in Git extension is turned off, and it does the commit. Turn it on and try again.',
        );
        return;
      }
      const repository = await pickRepository(git, source?.rootUri);
      if (repository) await this.commit(git, repository, repository.inputBox.value.trim());
    } catch (error) {
      reportFailure(this.dependencies.log, 'The commit', error);
    }
  }

  private async commit(git: GitApi, repository: GitRepository, written: string): Promise<void> {
    const { fsPath } = repository.rootUri;
    if (this.busy.has(fsPath)) {
      void vscode.window.showInformationMessage('A commit is running in this repository already. Wait for it to end.');
      return;
    }
    this.busy.add(fsPath);
    try {
      await repository.status();
      if (!canCommit(repository)) return;
      const message = written || (await askForMessage());
      if (!message) return;
      await this.dependencies.live.refresh();
      const identity = this.identify(fsPath);
      if (!identity) return;
      const outcome = await this.attempt(git, repository, identity, message);
      if (outcome.kind !== 'refused') this.tell(outcome, identity);
      else {
        this.dependencies.log.info(outcome.refusal.sentence);
        this.offer(outcome.refusal, () => this.commit(git, repository, repository.inputBox.value.trim() || message));
      }
    } finally {
      this.busy.delete(fsPath);
    }
  }

  /** Tells who blocks; the answer, if there ever is one, is not waited for. */
  private offer({ sentence, id, blockers }: Refusal, again: () => Promise<void>): void {
    // A lock or a fence is no holder that a view could show; the log has the rest.
    const shown = blockers.some(({ kind }) => kind === 'lease' || kind === 'unreadable');
    vscode.window
      .showWarningMessage(sentence, shown ? 'Show Blocker' : 'Show Log', 'Try Again')
      .then(async choice => {
        if (choice === 'Show Blocker') await vscode.commands.executeCommand(COMMANDS.showBlocker, id);
        if (choice === 'Show Log') await vscode.commands.executeCommand(COMMANDS.showLog);
        if (choice === 'Try Again') await again();
      })
      .then(undefined, error => reportFailure(this.dependencies.log, 'The commit', error));
  }

  private identify(root: string): RepositoryIdentity | undefined {
    const real = realpathSync(root);
    const identity = this.dependencies.live.identities.find(({ checkout }) => checkout.root === real);
    if (!identity) {
      void vscode.window.showInformationMessage(
        `${plainText(root)} is not among the repositories of the open folders. Open its folder and try again.`,
      );
    }
    return identity;
  }

  private attempt(
    git: GitApi,
    repository: GitRepository,
    identity: RepositoryIdentity,
    message: string,
  ): Promise<GatedOutcome<string>> {
    const location = vscode.ProgressLocation.SourceControl;
    return Promise.resolve(
      vscode.window.withProgress({ location, cancellable: false }, async () => {
        const request: GatedRequest = {
          repository: identity,
          operation: 'commit',
          ownership: OWNERSHIP,
          git: git.git.path,
          signal: new AbortController().signal,
        };
        const outcome = await this.dependencies.gated.run(request, async helpers => {
          helpers.assert();
          helpers.signal.addEventListener('abort', () => this.tellLoss(helpers.signal.reason, identity), {
            once: true,
          });
          await repository.commit(message, commitOptions(repository.rootUri));
          return repository.state.HEAD?.commit ?? '';
        });
        if (outcome.kind !== 'refused') this.dependencies.gateState.forget(GatedOperation.refusalId(request));
        return outcome;
      }),
    );
  }

  private tell(outcome: Exclude<GatedOutcome<string>, { kind: 'refused' }>, identity: RepositoryIdentity): void {
    const { log, activity } = this.dependencies;
    const at = Date.now();
    const { displayName } = identity;
    if (outcome.kind === 'done') {
      const short = outcome.value.slice(0, 8);
      activity.add([{ at, kind: 'committed', text: `You committed ${short} under a lease`, repository: displayName }]);
      void vscode.window.setStatusBarMessage(`$(check) Committed ${short}`, 4_000);
      if (outcome.notReleased) {
        log.warn('The leases of the commit could not be given back.', String(outcome.notReleased));
        const until = timeOfDay(Date.parse(outcome.gate.expiresAt), at);
        void vscode.window.showWarningMessage(
          `The commit is done, but its lease could not be given back; it ends at ${until}.`,
        );
      }
    } else if (outcome.kind === 'cancelled' && outcome.notReleased) {
      log.warn('The leases of the commit could not be given back.', String(outcome.notReleased));
    }
  }

  /** At the moment of the loss: the commit is run by the built-in Git extension, which offers no way to stop it. */
  private tellLoss(reason: unknown, { displayName }: RepositoryIdentity): void {
    const { log, activity } = this.dependencies;
    const at = Date.now();
    log.error('The lease was lost during the commit.', String(reason));
    activity.add([{ at, kind: 'lost', text: 'Your commit lost its lease', repository: displayName }]);
    const text = `The commit lost its lease at ${timeOfDay(at, at)} and git was not stopped, so its outcome is unknown: look at the repository.`;
    void vscode.window.showErrorMessage(text, 'Open Source Control', 'Show Log').then(async choice => {
      if (choice) await vscode.commands.executeCommand(choice === 'Show Log' ? COMMANDS.showLog : 'workbench.view.scm');
    });
  }
}

async function pickRepository(git: GitApi, root: vscode.Uri | undefined): Promise<GitRepository | undefined> {
  const { repositories } = git;
  if (root) return repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
  if (repositories.length === 0) {
    void vscode.window.showInformationMessage('No git repository is open. Open a folder that lies in one.');
    return undefined;
  }
  if (repositories.length === 1) return repositories[0];
  const items = repositories.map(repository => ({
    label: plainText(repository.rootUri.fsPath.replace(/^.*[\\/]/, '')),
    description: plainText(repository.rootUri.fsPath),
    detail: `${repository.state.indexChanges.length} staged`,
    repository,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Commit in which repository?' }))?.repository;
}

/** Whether there is something to commit; else says what is missing. */
function canCommit({ state, rootUri }: GitRepository): boolean {
  const name = plainText(rootUri.fsPath.replace(/^.*[\\/]/, ''));
  const why =
    state.mergeChanges.length > 0
      ? `${name} has unresolved merge conflicts. Resolve and stage them first.`
      : state.indexChanges.length === 0
        ? `Nothing is staged in ${name}. Stage what the commit should hold first.`
        : undefined;
  if (!why) return true;
  void vscode.window.showInformationMessage(why, 'Open Source Control').then(async choice => {
    if (choice) await vscode.commands.executeCommand('workbench.view.scm');
  });
  return false;
}

async function askForMessage(): Promise<string | undefined> {
  const message = await vscode.window.showInputBox({
    title: 'Commit (Gated)',
    prompt: 'Message of the commit',
    placeHolder: 'What does this commit change, and why?',
    validateInput: text => (text.trim() === '' ? 'A commit needs a message.' : undefined),
  });
  return message?.trim();
}

/** Signing and sign-off hold as for the built-in command; what that asks before it commits is not asked here. */
function commitOptions(root: vscode.Uri) {
  const git = vscode.workspace.getConfiguration('git', root);
  return {
    signCommit: git.get<boolean>('enableCommitSigning', false),
    signoff: git.get<boolean>('alwaysSignOff', false),
    postCommitCommand: null,
  };
}
