import type { Blocker } from '../core/leases/blocker';
import { Listeners } from '../core/listeners';
import type { LeasePicture } from '../core/picture/leasePicture';

/** A gated operation of this window that runs now. */
export interface RunningOperation {
  readonly owner: string;
  readonly operation: string;
  readonly repository: string;
  /** Wall clock, milliseconds. */
  readonly since: number;
}

/** A gated operation of this window that was refused and whose blockers are still there. */
export interface Refusal {
  readonly id: string;
  readonly operation: string;
  readonly repoId: string;
  readonly repository: string;
  readonly blockers: readonly Blocker[];
  readonly sentence: string;
  readonly at: number;
}

/** What this window's own gate does: the status bar, the blockers and the badge are made from it. */
export class GateState {
  private readonly listeners: Listeners<void>;
  private readonly running = new Map<string, RunningOperation>();
  private refused: readonly Refusal[] = [];

  constructor(onError: (error: unknown) => void) {
    this.listeners = new Listeners(onError);
  }

  get operations(): readonly RunningOperation[] {
    return [...this.running.values()];
  }

  /** The newest first. */
  get refusals(): readonly Refusal[] {
    return this.refused;
  }

  get owners(): ReadonlySet<string> {
    return new Set(this.running.keys());
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.listeners.add(listener);
  }

  began(operation: RunningOperation): void {
    this.running.set(operation.owner, operation);
    this.listeners.tell();
  }

  ended(owner: string): void {
    if (this.running.delete(owner)) this.listeners.tell();
  }

  /** Replaces what was refused of the same operation in the same repository. */
  wasRefused(refusal: Refusal): void {
    this.refused = [refusal, ...this.refused.filter(({ id }) => id !== refusal.id)];
    this.listeners.tell();
  }

  /** The operation ran after all, or nobody wants it any more. */
  forget(id: string): void {
    this.keep(this.refused.filter(refusal => refusal.id !== id));
  }

  /** Forgets refusals of which no blocker is left. */
  forgetUnblocked(picture: LeasePicture): void {
    const present = new Set(
      picture.repositories.flatMap(({ leases, unreadable }) => [...leases, ...unreadable].map(({ file }) => file)),
    );
    const blocks = (blocker: Blocker) =>
      (blocker.kind === 'lease' || blocker.kind === 'unreadable') && present.has(blocker.file);
    this.keep(this.refused.filter(({ blockers }) => blockers.some(blocks)));
  }

  private keep(refusals: readonly Refusal[]): void {
    if (refusals.length === this.refused.length) return;
    this.refused = refusals;
    this.listeners.tell();
  }
}
