import type * as vscode from 'vscode';
import type { Clock, Timer } from '../../core/clock';
import type { Rows } from './row';
import type { RowElement, RowTree } from './rowTree';

/** Texts that only time changes are redrawn no faster than this, and with a real change when one comes first. */
const LEAST_TICK_MS = 1_000;

/** Keeps one tree view's rows what `makeRows` says, when told that something changed and when time changes a text. */
export class RowView {
  private timer: Timer | undefined;

  constructor(
    readonly tree: RowTree,
    readonly view: vscode.TreeView<RowElement>,
    private readonly makeRows: () => Rows,
    private readonly clock: Clock,
  ) {
    view.onDidChangeVisibility(({ visible }) => this.update(visible));
  }

  /** Makes the rows again when somebody sees them, or when they are wanted all the same. */
  update(wanted = this.view.visible): void {
    if (!wanted) return;
    const { rows, changesInMs } = this.makeRows();
    this.tree.update(rows);
    this.timer?.dispose();
    this.timer = undefined;
    if (!this.view.visible || !Number.isFinite(changesInMs)) return;
    this.timer = this.clock.timer(Math.max(changesInMs, LEAST_TICK_MS), () => this.update());
  }

  dispose(): void {
    this.timer?.dispose();
    this.view.dispose();
    this.tree.dispose();
  }
}
