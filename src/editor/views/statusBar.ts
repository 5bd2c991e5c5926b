import * as vscode from 'vscode';
import type { Clock, Timer } from '../../core/clock';
import { COMMANDS, STATUS_ITEM } from '../ids';
import type { StatusText } from './statusText';

/** How often the time of a running operation is shown anew, milliseconds. */
const TICK_MS = 1_000;

/** The one status-bar item: hidden while there is nothing to say. */
export class StatusBar {
  private readonly item: vscode.StatusBarItem;
  private timer: Timer | undefined;

  constructor(
    private readonly makeText: () => StatusText | undefined,
    private readonly isRunning: () => boolean,
    private readonly clock: Clock,
  ) {
    this.item = vscode.window.createStatusBarItem(STATUS_ITEM.id, vscode.StatusBarAlignment.Left, 40);
    this.item.name = STATUS_ITEM.name;
    this.item.command = COMMANDS.explain;
  }

  update(): void {
    const made = this.makeText();
    if (made) {
      this.item.text = made.text;
      this.item.tooltip = made.tooltip;
      this.item.accessibilityInformation = { label: made.spoken };
      this.item.backgroundColor = made.warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      this.item.show();
    } else this.item.hide();
    this.timer?.dispose();
    this.timer = this.isRunning() ? this.clock.timer(TICK_MS, () => this.update()) : undefined;
  }

  dispose(): void {
    this.timer?.dispose();
    this.item.dispose();
  }
}
