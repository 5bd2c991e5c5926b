import * as vscode from 'vscode';
import type { Clock, Timer } from '../../core/clock';
import { type Row, sameRow } from './row';

/** What the editor keeps of a row: one object for one id, for as long as the id is shown. */
export interface RowElement {
  row: Row;
  children: RowElement[];
  readonly parent: RowElement | undefined;
}

/**
 * The editor gathers a tree's change events for 200 ms and starts anew with each further one, so events that come
 * faster show nothing until they stop. Hence: at once when the last was at least this long ago, else once at its end.
 */
const LEAST_GAP_MS = 250;

/** Shows rows in a tree view and tells the editor of what changed, and of nothing else. */
export class RowTree implements vscode.TreeDataProvider<RowElement> {
  private readonly changed = new vscode.EventEmitter<RowElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: RowElement[] = [];
  private byId = new Map<string, RowElement>();
  private shown = false;
  private waiting: 'all' | Set<RowElement> = new Set();
  private timer: Timer | undefined;
  private lastTold = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  update(rows: readonly Row[]): void {
    const known = this.byId;
    this.byId = new Map();
    const before = this.roots;
    this.roots = this.place(rows, undefined, known);
    if (!sameElements(before, this.roots)) this.waiting = 'all';
    if (this.waiting === 'all' || this.waiting.size > 0) this.tellSoon();
  }

  getChildren(element?: RowElement): RowElement[] {
    this.shown = true;
    return element ? element.children : this.roots;
  }

  getParent(element: RowElement): RowElement | undefined {
    return element.parent;
  }

  getTreeItem({ row }: RowElement): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, collapsibleState(row));
    item.id = row.id;
    item.description = row.description;
    item.contextValue = row.contextValue;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color ? new vscode.ThemeColor(row.color) : undefined);
    item.accessibilityInformation = { label: row.spoken };
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, { row }: RowElement): vscode.TreeItem {
    const { title, lines } = row.tooltip();
    const tooltip = new vscode.MarkdownString().appendMarkdown('**').appendText(title).appendMarkdown('**');
    for (const [name, value] of lines) tooltip.appendMarkdown(`  \n${name}: `).appendText(value);
    item.tooltip = tooltip;
    return item;
  }

  /** The first row, from the top, that fits. */
  find(fits: (row: Row) => boolean): RowElement | undefined {
    for (const element of this.byId.values()) if (fits(element.row)) return element;
    return undefined;
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }

  private place(
    rows: readonly Row[],
    parent: RowElement | undefined,
    known: ReadonlyMap<string, RowElement>,
  ): RowElement[] {
    return rows.map(row => {
      const old = known.get(row.id);
      const element = old?.parent === parent && old ? old : { row, children: [], parent };
      this.byId.set(row.id, element);
      const children = this.place(row.children, element, known);
      if (element === old && (!sameRow(old.row, row) || !sameElements(old.children, children))) this.note(element);
      element.row = row;
      element.children = children;
      return element;
    });
  }

  private note(element: RowElement): void {
    if (this.waiting !== 'all') this.waiting.add(element);
  }

  private tellSoon(): void {
    if (this.timer) return;
    const wait = this.lastTold + LEAST_GAP_MS - this.clock.monotonic();
    if (wait <= 0) this.tell();
    else this.timer = this.clock.timer(wait, () => this.tell());
  }

  private tell(): void {
    this.timer = undefined;
    const waiting = this.waiting;
    this.waiting = new Set();
    if (!this.shown) return;
    const elements = waiting === 'all' ? undefined : this.topmost(waiting);
    if (elements?.length === 0) return;
    this.lastTold = this.clock.monotonic();
    this.changed.fire(elements);
  }

  /** Those that are still shown; telling of a row tells of all below it. */
  private topmost(elements: ReadonlySet<RowElement>): RowElement[] {
    return [...elements].filter(
      element => this.byId.get(element.row.id) === element && !hasAncestor(element, elements),
    );
  }
}

function hasAncestor(element: RowElement, among: ReadonlySet<RowElement>): boolean {
  for (let at = element.parent; at; at = at.parent) if (among.has(at)) return true;
  return false;
}

function sameElements(a: readonly RowElement[], b: readonly RowElement[]): boolean {
  return a.length === b.length && a.every((element, index) => element === b[index]);
}

function collapsibleState({ children, collapsed }: Row): vscode.TreeItemCollapsibleState {
  if (children.length === 0) return vscode.TreeItemCollapsibleState.None;
  return collapsed ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}
