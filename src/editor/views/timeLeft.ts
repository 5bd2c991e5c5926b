const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Below a minute the text moves in steps of five seconds: a row that changes every second is noise, and a tree that is
 * told to redraw has to wait before it shows the next real change.
 */
const STEP_MS = 5_000;

export interface TimeLeft {
  readonly text: string;
  /** When the text will be another one, milliseconds. */
  readonly changesInMs: number;
}

/** What is left of a lease, rounded up. */
export function timeLeft(remainingMs: number): TimeLeft {
  if (remainingMs <= 0) return { text: 'ending', changesInMs: Number.POSITIVE_INFINITY };
  const [unit, step] =
    remainingMs > HOUR_MS ? ['h', HOUR_MS] : remainingMs > MINUTE_MS ? ['min', MINUTE_MS] : (['s', STEP_MS] as const);
  const steps = Math.ceil(remainingMs / step);
  const amount = unit === 's' ? (steps * STEP_MS) / 1000 : steps;
  return { text: `${amount} ${unit} left`, changesInMs: Math.max(remainingMs - (steps - 1) * step, 1) };
}

/**
 * The same for a row among others: all rows move at the same moments, every five seconds, however their leases end.
 * The text is off by less than one step.
 */
export function timeLeftInStep(endsAt: number, now: number): TimeLeft {
  const step = Math.floor(now / STEP_MS) * STEP_MS;
  const { text, changesInMs } = timeLeft(endsAt - step - STEP_MS);
  return { text, changesInMs: step + Math.ceil(changesInMs / STEP_MS) * STEP_MS - now };
}

/** How long ago, rounded down: "3 s", "4 min", "2 h", "3 days". */
export function ageText(ageMs: number): string {
  const age = Math.max(ageMs, 0);
  if (age < MINUTE_MS) return `${Math.floor(age / 1000)} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < 48 * HOUR_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / (24 * HOUR_MS))} days`;
}
