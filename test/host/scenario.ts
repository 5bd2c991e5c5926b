import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type GitRepository, gitApi } from '../../src/editor/git/gitExtension';
import { EXTENSION_ID, VIEWS } from '../../src/editor/ids';
import type { LeaseViews } from '../../src/editor/leaseViews';
import type { Row } from '../../src/editor/views/row';
import type { RowView } from '../../src/editor/views/rowView';
import { TestHome } from '../support/controllerHome';

/** The window under test: the extension's own views, and the home and repository that the runner made for it. */
export interface Scenario {
  readonly views: LeaseViews;
  readonly home: TestHome;
  readonly workspace: string;
}

export async function openScenario(): Promise<Scenario> {
  const { LEASEHOLD_TEST_HOME: home, LEASEHOLD_TEST_WORKSPACE: workspace } = process.env;
  assert.ok(home && workspace, 'the runner names home and workspace');
  const extension = vscode.extensions.getExtension<LeaseViews | undefined>(EXTENSION_ID);
  assert.ok(extension, 'the extension is installed');
  const views = await extension.activate();
  assert.ok(views, 'the extension hands its views to tests');
  await vscode.commands.executeCommand(`${VIEWS.activeLeases}.focus`);
  return { views, home: new TestHome(home, workspace), workspace };
}

/** The repository of the window, as soon as the built-in git extension has found it. */
export async function openedRepository(): Promise<GitRepository> {
  const api = await gitApi();
  assert.ok(api, 'the built-in git extension is on');
  const [open] = api.repositories;
  return open ?? (await new Promise<GitRepository>(resolve => api.onDidOpenRepository(resolve)));
}

/** All rows that a view has now, from the top, without regard to what is collapsed. */
export function allRows({ tree }: RowView): Row[] {
  const below = (row: Row): Row[] => [row, ...row.children.flatMap(below)];
  return tree.getChildren().flatMap(({ row }) => below(row));
}

/** Resolves with the first answer that is not undefined, asked at each change of the view's tree. */
export function whenTree<T>(view: RowView, ask: (rows: readonly Row[]) => T | undefined, ms = 5_000): Promise<T> {
  return new Promise((resolve, reject) => {
    const shown = () => allRows(view).map(({ label, description }) => `${label} (${description})`);
    const deadline = setTimeout(() => finish(() => reject(new Error(`not within ${ms} ms; shown: ${shown()}`))), ms);
    const finish = (settle: () => void) => {
      clearTimeout(deadline);
      listener.dispose();
      settle();
    };
    const look = () => {
      const answer = ask(allRows(view));
      if (answer !== undefined) finish(() => resolve(answer));
    };
    const listener = view.tree.onDidChangeTreeData(look);
    look();
  });
}

export function rowLabelled(label: string): (rows: readonly Row[]) => Row | undefined {
  return rows => rows.find(row => row.label === label);
}

/** For conditions on rows that must be gone. */
export function noRowLabelled(label: string): (rows: readonly Row[]) => true | undefined {
  return rows => (rows.some(row => row.label === label) ? undefined : true);
}
