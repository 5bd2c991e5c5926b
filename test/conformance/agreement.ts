import { isDeepStrictEqual } from 'node:util';

/** Nothing when both are the same, else both in words. */
export function agreement(ours: unknown, theirs: unknown): string | undefined {
  return isDeepStrictEqual(ours, theirs) ? undefined : `ours ${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}`;
}

/** What a call gives, or the message of what it throws. */
export function resultOrError<T>(call: () => T): { result: T } | { error: string } {
  try {
    return { result: call() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
