import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Clock } from '../core/clock';
import type { LivePicture } from '../core/picture/livePicture';
import { pictureDiff } from '../core/picture/pictureDiff';
import type { ProcessProbe } from '../core/process/liveness';
import type { ActivityLog } from './activityLog';
import { DisposableStore } from './disposableStore';
import type { GateState } from './gateState';
import { EMPTY_REASON_KEY, VIEWS } from './ids';
import { activityOf, activityRows } from './views/activityRows';
import { blockerRows } from './views/blockerRows';
import { emptyReason, viewMessage } from './views/emptyReason';
import { leaseRows } from './views/leaseRows';
import { problemRows } from './views/problemRows';
import type { Rows } from './views/row';
import { RowTree } from './views/rowTree';
import { RowView } from './views/rowView';
import { StatusBar } from './views/statusBar';
import { statusText } from './views/statusText';

interface Dependencies {
  readonly clock: Clock;
  readonly probe: ProcessProbe;
  readonly live: LivePicture;
  readonly gateState: GateState;
  readonly activity: ActivityLog;
}

/** The four views, the badge and the status bar, each a function of picture, gate state and activity. */
export class LeaseViews {
  private readonly store = new DisposableStore();
  readonly activeLeases: RowView;
  readonly blockers: RowView;
  private readonly needsAttention: RowView;
  private readonly activityView: RowView;
  private readonly statusBar: StatusBar;
  private reason = '';
  private read = false;
  private picture;

  constructor(private readonly dependencies: Dependencies) {
    const { clock, live, gateState, activity, probe } = dependencies;
    this.picture = live.current;
    const now = () => clock.wall();
    const homeDirectory = homedir();
    this.activeLeases = this.view(VIEWS.activeLeases, () =>
      leaseRows({ picture: live.current, ours: gateState.owners, now: now(), probe, homeDirectory }),
    );
    this.blockers = this.view(VIEWS.blockers, () => blockerRows(gateState.refusals, now()));
    this.needsAttention = this.view(VIEWS.needsAttention, () => problemRows(live.current, now()));
    this.activityView = this.view(VIEWS.activity, () => activityRows(activity.entries, now()));
    this.statusBar = this.store.add(
      new StatusBar(
        () => statusText(live.current, gateState.operations, gateState.refusals, now()),
        () => gateState.operations.length > 0,
        clock,
      ),
    );
    this.store.add(live.onDidChange(() => this.pictureChanged()));
    this.store.add(gateState.onDidChange(() => this.gateChanged()));
    this.store.add(activity.onDidChange(() => this.activityView.update()));
    for (const { view } of this.all) this.store.add(view.onDidChangeVisibility(() => this.visibilityChanged()));
    this.explainEmptiness();
  }

  /** The first picture was made; until then the view says that it is being read. */
  firstRead(): void {
    this.read = true;
    this.pictureChanged();
  }

  dispose(): void {
    this.store.dispose();
  }

  private view(id: string, makeRows: () => Rows): RowView {
    const { clock } = this.dependencies;
    const tree = new RowTree(clock);
    const view = vscode.window.createTreeView(id, {
      treeDataProvider: tree,
      showCollapseAll: id === VIEWS.activeLeases,
    });
    return this.store.add(new RowView(tree, view, makeRows, clock));
  }

  private pictureChanged(): void {
    const { live, gateState, activity, clock } = this.dependencies;
    const before = this.picture;
    this.picture = live.current;
    this.needsAttention.update();
    this.gateChanged();
    this.explainEmptiness();
    if (this.read) activity.add(activityOf(pictureDiff(before, this.picture), gateState.owners, clock.wall()));
    gateState.forgetUnblocked(this.picture);
  }

  private gateChanged(): void {
    this.activeLeases.update();
    this.blockers.update();
    this.statusBar.update();
    this.updateBadge();
  }

  private get all(): readonly RowView[] {
    return [this.activeLeases, this.blockers, this.needsAttention, this.activityView];
  }

  private visibilityChanged(): void {
    this.dependencies.live.setVisible(this.all.some(({ view }) => view.visible));
  }

  private updateBadge(): void {
    const { live, gateState, clock } = this.dependencies;
    const blockers = gateState.refusals.length;
    const attention = problemRows(live.current, clock.wall()).rows.length;
    const value = blockers + attention;
    const tooltip = [blockers && `${blockers} refused`, attention && `${attention} in need of attention`]
      .filter(Boolean)
      .join(', ');
    const { view } = this.activeLeases;
    if (view.badge?.value !== value || view.badge.tooltip !== tooltip) view.badge = { value, tooltip };
  }

  private explainEmptiness(): void {
    const picture = this.dependencies.live.current;
    const message = viewMessage(picture);
    const { view } = this.activeLeases;
    if (view.message !== (message ?? '')) view.message = message ?? '';
    const reason = emptyReason(picture, this.read);
    if (reason === this.reason) return;
    this.reason = reason;
    void vscode.commands.executeCommand('setContext', EMPTY_REASON_KEY, reason);
  }
}
