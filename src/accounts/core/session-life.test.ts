import { describe, expect, test } from 'vitest';

import { isOver, newLife, seenAgain } from './session-life.ts';

const hourMs = 3_600_000;
const start = new Date('2026-11-20T12:00:00Z');
const after = (ms: number): Date => new Date(start.getTime() + ms);

describe('a session', () => {
  test.each([
    [0, false],
    [24 * hourMs - 1, false],
    [24 * hourMs, true],
    [1_000 * hourMs, true],
  ])('not used for %i ms: over is %s', (ms, over) => {
    expect(isOver(newLife(start), after(ms))).toBe(over);
  });

  test('that is used lives on, but never longer than a week', () => {
    let life = newLife(start);
    for (let hour = 20; hour < 168; hour += 20) {
      expect(isOver(life, after(hour * hourMs))).toBe(false);
      life = seenAgain(life, after(hour * hourMs)) ?? life;
    }
    expect(isOver(life, after(168 * hourMs - 1))).toBe(false);
    expect(isOver(life, after(168 * hourMs))).toBe(true);
    expect(life.idleExpiresAt).toEqual(life.expiresAt);
  });

  test('is written down once a minute, not at every call', () => {
    expect(seenAgain(newLife(start), after(59_999))).toBeNull();
    expect(seenAgain(newLife(start), after(60_000))?.lastSeenAt).toEqual(after(60_000));
  });

  test('is not prolonged by a clock that was set back', () => {
    expect(seenAgain(newLife(start), after(-hourMs))).toBeNull();
  });
});
