import { describe, expect, test } from 'vitest';
import { dueDailyRecap, nextDailyRecapAt } from './recap-times.ts';

const at = (time: string): Date => new Date(`2026-11-${time}Z`);
const recapMinute = 20 * 60;

describe('Rulings R4: the daily recap at the time of the chat', () => {
  test.each([
    ['before its time', '20T19:59:59', '19T20:00:00', 0, null],
    ['at its time', '20T20:00:00', '19T20:00:00', 0, '2026-11-20T20:00:00.000Z'],
    ['late after a restart', '20T23:10:00', '19T20:00:00', 0, '2026-11-20T20:00:00.000Z'],
    ['after days of downtime, once', '20T23:10:00', '15T20:00:00', 0, '2026-11-20T20:00:00.000Z'],
    ['not twice', '20T20:00:30', '20T20:00:00', 0, null],
    ['not again after the clock went back', '20T19:00:00', '20T20:00:00', 0, null],
    ['not at once when it is switched on after its time', '20T21:00:00', '20T20:30:00', 0, null],
    ['east of Greenwich', '20T18:00:00', '19T18:00:00', 120, '2026-11-20T18:00:00.000Z'],
    ['west of Greenwich, past midnight UTC', '21T01:00:00', '20T01:00:00', -300, '2026-11-21T01:00:00.000Z'],
  ])('%s', (_what, now, until, utcOffsetMinutes, to) => {
    const due = dueDailyRecap({ recapMinute, utcOffsetMinutes, recappedUntil: at(until), now: at(now) });
    expect(due?.to.toISOString() ?? null).toBe(to);
    if (due !== null) expect(due.to.getTime() - due.from.getTime()).toBe(86_400_000);
  });

  test('a chat that wants none gets none', () =>
    expect(
      dueDailyRecap({ recapMinute: null, utcOffsetMinutes: 0, recappedUntil: new Date(0), now: at('20T20:00:00') }),
    ).toBeNull());

  test.each([
    ['20T20:00:00', '2026-11-21T20:00:00.000Z'],
    ['20T19:59:59', '2026-11-20T20:00:00.000Z'],
  ])('after %s the next is at %s', (after, next) =>
    expect(nextDailyRecapAt({ recapMinute, utcOffsetMinutes: 0, after: at(after) }).toISOString()).toBe(next),
  );
});
