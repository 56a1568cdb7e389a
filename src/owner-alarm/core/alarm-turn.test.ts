import { expect, test } from 'vitest';

import { type Seen, type StoredAlarm, turnAlarm } from './alarm.ts';

const now = new Date('2026-11-22T14:00:00Z');
const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const failing: Seen = { kind: 'failing', since: null };
const settleMs = 120_000;
const turn = (stored: StoredAlarm | null, seen: Seen) => turnAlarm(stored, seen, settleMs, now);
const alarm = (isOn: boolean, turningMinutes: number | null): StoredAlarm => ({
  isOn,
  since: ago(30),
  turningSince: turningMinutes === null ? null : ago(turningMinutes),
});

test.each<[string, StoredAlarm | null, Seen, StoredAlarm | null, 'on' | 'over' | null]>([
  ['well stays well', null, { kind: 'well' }, null, null],
  ['a failure is noted', null, failing, { isOn: false, since: now, turningSince: now }, null],
  [
    'with its own beginning',
    null,
    { kind: 'failing', since: ago(20) },
    { isOn: false, since: ago(20), turningSince: now },
    null,
  ],
  ['not told before it settled', alarm(false, 1), failing, alarm(false, 1), null],
  ['told once it did', alarm(false, 2), failing, alarm(true, null), 'on'],
  ['not told again', alarm(true, null), failing, alarm(true, null), null],
  ['forgotten when it was a moment', alarm(false, 1), { kind: 'well' }, null, null],
  [
    'well for a moment is not over',
    alarm(true, null),
    { kind: 'well' },
    { ...alarm(true, null), turningSince: now },
    null,
  ],
  ['nor after four minutes', alarm(true, 4), { kind: 'well' }, alarm(true, 4), null],
  ['over after five', alarm(true, 5), { kind: 'well' }, null, 'over'],
  ['failing again begins the five anew', alarm(true, 4), failing, alarm(true, null), null],
  ['what cannot be seen changes nothing', alarm(true, 5), { kind: 'unknown' }, alarm(true, 5), null],
])('%s', (_name, stored, seen, next, tell) => {
  expect(turn(stored, seen)).toEqual({ next, tell });
});

test('what needs no settling is told at once', () => {
  expect(turnAlarm(null, failing, 0, now).tell).toBe('on');
});
