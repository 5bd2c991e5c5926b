import type { Clock } from '../clock';

/**
 * When somebody else's lease is over, judged by what this process observed. A step of the wall clock or a machine
 * that slept moves one clock and not the other, so both must say that the time is over; a lease that was over by the
 * wall clock when it was first seen counts as over at once.
 */
export interface ObservedExpiry {
  /** Milliseconds since the epoch, as the record says. */
  readonly wall: number;
  /** The same moment on the monotonic clock, as far as could be told when the record was read. */
  readonly monotonic: number;
}

export function observeExpiry(expiresAt: string, clock: Clock): ObservedExpiry {
  const wall = Date.parse(expiresAt);
  return { wall, monotonic: clock.monotonic() + (wall - clock.wall()) };
}

/** Milliseconds until both clocks agree that it is over; 0 or less when it is. */
export function remainingMs(expiry: ObservedExpiry, clock: Clock): number {
  return Math.max(expiry.wall - clock.wall(), expiry.monotonic - clock.monotonic());
}
