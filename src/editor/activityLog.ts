import { Listeners } from '../core/listeners';

/** Something that was seen or done, in words that stay true. */
export interface ActivityEntry {
  readonly id: number;
  /** Wall clock, milliseconds. */
  readonly at: number;
  readonly kind: 'appeared' | 'gone' | 'expired' | 'committed' | 'refused' | 'lost';
  /** "JOB-1842 took workspace (write)". */
  readonly text: string;
  readonly repository: string;
}

/** More is forgotten, the oldest first. */
const MOST_ENTRIES = 200;

/** What this window saw and did since it opened, the newest first. */
export class ActivityLog {
  private readonly listeners: Listeners<void>;
  private newestFirst: readonly ActivityEntry[] = [];
  private nextId = 1;

  constructor(onError: (error: unknown) => void) {
    this.listeners = new Listeners(onError);
  }

  get entries(): readonly ActivityEntry[] {
    return this.newestFirst;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.listeners.add(listener);
  }

  add(entries: readonly Omit<ActivityEntry, 'id'>[]): void {
    if (entries.length === 0) return;
    const numbered = entries.map(entry => ({ ...entry, id: this.nextId++ })).reverse();
    this.newestFirst = [...numbered, ...this.newestFirst].slice(0, MOST_ENTRIES);
    this.listeners.tell();
  }
}
