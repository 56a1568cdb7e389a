import { describe, expect, test } from 'vitest';
import { dueDailyRecap } from './recaps.ts';

const at = (time: string): Date => new Date(`2026-11-${time}Z`);
const recapMinute = 20 * 60;

describe('Rulings R4: the daily recap, in the time of the chat,', () => {
  test.each([
    ['is not due before its time', '20T19:59:59', '19T20:00:00', 'UTC', null],
    ['is due at its time', '20T20:00:00', '19T20:00:00', 'UTC', '2026-11-20T20:00:00.000Z'],
    ['is due late after a restart', '20T23:10:00', '19T20:00:00', 'UTC', '2026-11-20T20:00:00.000Z'],
    ['is due once after days of downtime', '20T23:10:00', '15T20:00:00', 'UTC', '2026-11-20T20:00:00.000Z'],
    ['is not due twice', '20T20:00:30', '20T20:00:00', 'UTC', null],
    ['is not due again after the clock went back', '20T19:00:00', '20T20:00:00', 'UTC', null],
    ['is not due when it is switched on after its time', '20T21:00:00', '20T20:30:00', 'UTC', null],
    ['is due east of Greenwich', '20T18:00:00', '19T18:00:00', 'Etc/GMT-2', '2026-11-20T18:00:00.000Z'],
    [
      'is due west of Greenwich, past midnight UTC',
      '21T01:00:00',
      '20T01:00:00',
      'Etc/GMT+5',
      '2026-11-21T01:00:00.000Z',
    ],
  ])('%s', (_what, now, until, timeZone, to) => {
    const due = dueDailyRecap({ recapMinute, timeZone, recappedUntil: at(until), now: at(now) });
    expect(due?.to.toISOString() ?? null).toBe(to);
    if (due !== null) expect(due.to.getTime() - due.from.getTime()).toBe(86_400_000);
  });

  test('is never due in a chat that has it switched off', () =>
    expect(
      dueDailyRecap({ recapMinute: null, timeZone: 'UTC', recappedUntil: new Date(0), now: at('20T20:00:00') }),
    ).toBeNull());

  const hourMs = 3_600_000;
  test.each([
    ['of 23 hours in spring', 'Europe/Berlin', 20 * 60, '2026-03-28T00:00:00Z', [24, 23, 24]],
    ['of 25 hours in autumn', 'Europe/Berlin', 20 * 60, '2026-10-24T00:00:00Z', [24, 25, 24]],
    ['ending at an hour that the clocks skip', 'America/New_York', 150, '2026-03-07T12:00:00Z', [24, 23, 24]],
    ['ending at an hour that the clocks show twice', 'America/New_York', 90, '2026-10-31T12:00:00Z', [24, 25, 24]],
    ['half an hour shorter on Lord Howe', 'Australia/Lord_Howe', 20 * 60, '2026-10-03T00:00:00Z', [24, 23.5, 24]],
  ])('covers every minute of a day %s exactly once', (_what, timeZone, minute, start, lengths) => {
    const days: { from: Date; to: Date }[] = [];
    let recappedUntil = new Date(start);
    for (let now = recappedUntil.getTime(); days.length < 3; now += 10 * 60_000) {
      const due = dueDailyRecap({ recapMinute: minute, timeZone, recappedUntil, now: new Date(now) });
      if (due === null) continue;
      days.push(due);
      recappedUntil = due.to;
    }
    const spans = days.map(({ from, to }) => (to.getTime() - from.getTime()) / hourMs);
    // The days before, with and after the change of the clocks.
    expect(spans.toSorted((one, other) => one - other)).toEqual(lengths.toSorted((one, other) => one - other));
    for (const [index, day] of days.slice(1).entries()) expect(day.from).toEqual(days[index]?.to);
  });
});
