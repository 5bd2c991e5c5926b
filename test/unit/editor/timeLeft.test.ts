import assert from 'node:assert/strict';
import { ageText, timeLeft, timeLeftInStep } from '../../../src/editor/views/timeLeft';

describe('time left', () => {
  const TEXTS: readonly (readonly [ms: number, text: string])[] = [
    [-1, 'ending'],
    [0, 'ending'],
    [1, '5 s left'],
    [5_000, '5 s left'],
    [5_001, '10 s left'],
    [59_999, '60 s left'],
    [60_000, '60 s left'],
    [60_001, '2 min left'],
    [3_600_000, '60 min left'],
    [3_600_001, '2 h left'],
    [86_400_000, '24 h left'],
  ];
  for (const [ms, text] of TEXTS) it(`${ms} ms: ${text}`, () => assert.equal(timeLeft(ms).text, text));

  it('says when the text will be another one, and it is', () => {
    for (let left = 7_300_123; left > 0; ) {
      const { text, changesInMs } = timeLeft(left);
      assert.ok(changesInMs >= 1, `${left}`);
      if (left > changesInMs) assert.equal(timeLeft(left - changesInMs + 1).text, text, `${left}: changes too early`);
      assert.notEqual(timeLeft(left - changesInMs).text, text, `${left}: does not change`);
      left -= changesInMs;
    }
  });

  it('never changes again once it is ending', () => {
    assert.equal(timeLeft(0).changesInMs, Number.POSITIVE_INFINITY);
  });

  it('moves for all rows at the same moments, every five seconds, and is never off by a whole step', () => {
    const moments = new Set<number>();
    for (const endsAt of [61_234, 33_333, 47_001, 125_000]) {
      for (let now = 0; now < endsAt; ) {
        const { text, changesInMs } = timeLeftInStep(endsAt, now);
        const seconds = /^(\d+) s left$/.exec(text)?.[1] ?? (text === 'ending' ? '0' : undefined);
        if (seconds)
          assert.ok(Math.abs(Number(seconds) * 1_000 - (endsAt - now)) <= 5_000, `${text} at ${now} of ${endsAt}`);
        assert.ok(changesInMs > 0);
        now += changesInMs;
        if (now < endsAt) moments.add(now % 5_000);
      }
    }
    assert.deepEqual([...moments], [0]);
  });

  const AGES: readonly (readonly [ms: number, text: string])[] = [
    [-5_000, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [47 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 days'],
  ];
  for (const [ms, text] of AGES) it(`an age of ${ms} ms: ${text}`, () => assert.equal(ageText(ms), text));
});
