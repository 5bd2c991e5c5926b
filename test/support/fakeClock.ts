import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/core/clock';

interface Pending {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  private readonly pending = new Set<Pending>();
  private wallNow: number;
  private monotonicNow = 1_000;

  constructor(wall: number = Date.parse('2026-03-01T12:00:00.000Z')) {
    this.wallNow = wall;
  }

  get pendingTimers(): number {
    return this.pending.size;
  }

  wall(): number {
    return this.wallNow;
  }

  monotonic(): number {
    return this.monotonicNow;
  }

  timer(ms: number, callback: () => void): Timer {
    const pending = { at: this.monotonicNow + Math.max(ms, 0), callback };
    this.pending.add(pending);
    return { dispose: () => void this.pending.delete(pending) };
  }

  /** Moves both times and fires what is due, in the order of its time, each at its own moment. */
  advance(ms: number): void {
    const end = this.monotonicNow + ms;
    for (;;) {
      const [next] = [...this.pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.pending.delete(next);
      this.moveTo(Math.max(next.at, this.monotonicNow));
      next.callback();
    }
    this.moveTo(end);
  }

  /** The same in small steps, with a turn for promises after each: for code that waits again and again. */
  async advanceSlowly(ms: number, step: number = 10): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      this.advance(Math.min(step, left));
      await setImmediate();
    }
  }

  /** Moves the wall clock alone, as a correction of the system time does. */
  stepWall(ms: number): void {
    this.wallNow += ms;
  }

  private moveTo(monotonic: number): void {
    this.wallNow += monotonic - this.monotonicNow;
    this.monotonicNow = monotonic;
  }
}
