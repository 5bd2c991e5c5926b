import * as vscode from 'vscode';
import type { GateState } from '../gateState';
import { VIEWS } from '../ids';
import type { LeaseViews } from '../leaseViews';
import type { RowView } from '../views/rowView';

/** *Explain What Is Held*: the refusal when there is one, else the tree of active leases. */
export async function explain(views: LeaseViews, gateState: GateState): Promise<void> {
  const [refusal] = gateState.refusals;
  if (refusal) await showBlocker(views, refusal.id);
  else await focusView(VIEWS.activeLeases);
}

/** *Show Blocker*: the refused operation (the newest when none is named) with its holders. */
export async function showBlocker(views: LeaseViews, refusalId?: string): Promise<void> {
  await focusView(VIEWS.blockers);
  const wanted = refusalId === undefined ? undefined : `refusal:${refusalId}`;
  await reveal(views.blockers, wanted);
}

async function reveal(rows: RowView, id: string | undefined): Promise<void> {
  rows.update(true);
  const { tree, view } = rows;
  const element = tree.find(row => (id === undefined ? row.contextValue === 'refusal' : row.id === id));
  if (element) await view.reveal(element, { select: true, focus: true, expand: true });
}

async function focusView(id: string): Promise<void> {
  await vscode.commands.executeCommand(`${id}.focus`);
}
