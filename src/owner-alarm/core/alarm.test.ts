import { expect, test } from 'vitest';

import { type AlarmState, checkGapText, type StoredAlarm, uncheckedSince, updateAlarm } from './alarm.ts';

const now = new Date('2026-11-22T14:00:00Z');
const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const failing: AlarmState = { kind: 'failing', since: null };
const settleMs = 120_000;
const turn = (stored: StoredAlarm | null, seen: AlarmState) => updateAlarm(stored, seen, settleMs, now);
const alarm = (isOn: boolean, turningMinutes: number | null): StoredAlarm => ({
  isOn,
  since: ago(30),
  turningSince: turningMinutes === null ? null : ago(turningMinutes),
});

test.each<[string, StoredAlarm | null, AlarmState, StoredAlarm | null, 'on' | 'over' | null]>([
  ['well stays well', null, { kind: 'well' }, null, null],
  ['a new failure is stored but not reported', null, failing, { isOn: false, since: now, turningSince: now }, null],
  [
    'a failure that began earlier keeps its beginning',
    null,
    { kind: 'failing', since: ago(20) },
    { isOn: false, since: ago(20), turningSince: now },
    null,
  ],
  ['a failure is not reported before it has lasted long enough', alarm(false, 1), failing, alarm(false, 1), null],
  ['a failure is reported once it has lasted long enough', alarm(false, 2), failing, alarm(true, null), 'on'],
  ['a reported failure is not reported again', alarm(true, null), failing, alarm(true, null), null],
  ['a short failure is forgotten', alarm(false, 1), { kind: 'well' }, null, null],
  [
    'an alarm is not over when all is well for a moment',
    alarm(true, null),
    { kind: 'well' },
    { ...alarm(true, null), turningSince: now },
    null,
  ],
  ['an alarm is not over after four good minutes', alarm(true, 4), { kind: 'well' }, alarm(true, 4), null],
  ['an alarm is over after five good minutes', alarm(true, 5), { kind: 'well' }, null, 'over'],
  ['failing again restarts the five minutes', alarm(true, 4), failing, alarm(true, null), null],
  ['an unknown state changes nothing', alarm(true, 5), { kind: 'unknown' }, alarm(true, 5), null],
])('%s', (_name, stored, seen, next, notify) => {
  expect(turn(stored, seen)).toEqual({ next, notify });
});

test('an alarm without a waiting time is reported at once', () => {
  expect(updateAlarm(null, failing, 0, now).notify).toBe('on');
});

test.each([
  ['a check that is missing for a minute and a half is reported', ago(1.5), ago(60), ago(1.5)],
  ['a shorter gap is not reported', ago(1.4), ago(60), null],
  ['nor is one in which this copy did not run', ago(30), ago(20), null],
  ['nor is the time before the very first check', null, ago(60), null],
])('%s', (_name, lastCheckAt, startedAt, since) => {
  expect(uncheckedSince(lastCheckAt, { startedAt, now }, 90_000)).toEqual(since);
});

test.each([
  [20, '(1 min)'],
  [45 * 60, '(45 min)'],
  [60 * 60, '(1 h 0 min)'],
  [200 * 60, '(3 h 20 min)'],
])('%d seconds without a check are reported as %s', (seconds, words) => {
  const to = new Date(now.getTime() + seconds * 1_000);
  expect(checkGapText(now, to, { productName: 'Sui Rocks', publicUrl: 'https://rocks.example' })).toContain(words);
});
