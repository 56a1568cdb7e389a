import { expect, test } from 'vitest';

import { operatorFigures } from '../../../tests/support/operator-figures.ts';
import { alarmRules } from './alarm-rules.ts';
import type { Facts } from './alarm.ts';

const now = new Date('2026-11-22T14:00:00Z');
/** All is well: every figure is present and counts nothing. */
const wellFigures: Facts['figures'] = {
  ...Object.fromEntries(operatorFigures.map(({ name }) => [name, 0])),
  telegram_bot_running: 1,
  discord_bot_running: 1,
};
const facts = (figures: Facts['figures'] = {}, more: Partial<Facts> = {}): Facts => ({
  now,
  startedAt: now,
  figures: { ...wellFigures, ...figures },
  sources: [],
  sourceLimitMs: 900_000,
  unexplained: null,
  payoutProblems: null,
  lastErrors: { telegram: null, discord: null },
  ...more,
});
const failing = (given: Facts) =>
  alarmRules.filter((rule) => rule.stateOf(given).kind === 'failing').map(({ alarm }) => alarm);

test('no alarm is raised while all is well, or before anything was set up', () => {
  expect(failing(facts())).toEqual([]);
  const nothing = Object.fromEntries(operatorFigures.map(({ name }) => [name, null]));
  expect(failing(facts(nothing))).toEqual([]);
});

test.each([
  ['telegram-bot', { telegram_bot_running: 0 }],
  ['discord-bot', { discord_bot_running: 0 }],
  ['telegram-updates', { telegram_updates_undelivered: 1 }],
  ['telegram-deliveries', { telegram_oldest_message_seconds: 901 }],
  ['telegram-commands', { telegram_oldest_update_seconds: 301 }],
  ['collection-polls', { collections_overdue_poll_seconds: 1_201 }],
  ['role-changes', { discord_overdue_action_seconds: 901 }],
  ['role-checks', { discord_overdue_check_seconds: 1_801 }],
  ['mass-removal', { discord_waiting_removals: 1 }],
  ['treasury-history', { treasury_history_age_seconds: 10_801 }],
  ['treasury-ledger-age', { treasury_ledger_age_seconds: 3_601 }],
  ['treasury-ledger', { treasury_ledger_unexplained_coins: 1 }],
  ['retention', { purge_oldest_run_seconds: 86_401 }],
])('%s is raised by its own figure alone', (alarm, figures) => {
  expect(failing(facts(figures))).toEqual([alarm]);
  const [name = '', value = 0] = Object.entries(figures)[0] ?? [];
  if (value > 1) expect(failing(facts({ [name]: value - 1 }))).toEqual([]);
});

test.each([
  [1, 'a server would'],
  [2, '2 servers would'],
])('a mass removal says in how many servers: %d', (count, words) => {
  const rule = alarmRules.find(({ alarm }) => alarm === 'mass-removal');
  expect(rule?.what(facts({ discord_waiting_removals: count }))).toContain(`Many members of ${words} lose`);
});

test('an alarm about a long wait dates from the beginning of that wait', () => {
  const rule = alarmRules.find(({ alarm }) => alarm === 'telegram-deliveries');
  const since = new Date('2026-11-22T13:40:00Z');
  expect(rule?.stateOf(facts({ telegram_oldest_message_seconds: 1_200 }))).toEqual({ kind: 'failing', since });
});

test('a bot that is back within two minutes raises no alarm', () => {
  const settling = alarmRules.filter(({ alarm }) => alarm.endsWith('-bot')).map(({ settleMs }) => settleMs);
  expect(settling).toEqual([120_000, 120_000]);
});

test('a bot that does not run is reported, not the work it leaves undone', () => {
  const figures = {
    telegram_bot_running: 0,
    telegram_updates_undelivered: 1,
    telegram_oldest_message_seconds: 9_999,
    telegram_oldest_update_seconds: 999,
  };
  expect(failing(facts(figures))).toEqual(['telegram-bot']);
  const isOff = facts({ ...figures, telegram_bot_running: null });
  expect(failing(isOff)).toEqual([]);
  const ofDeliveries = alarmRules.find(({ alarm }) => alarm === 'telegram-deliveries');
  for (const given of [facts(figures), isOff])
    expect(ofDeliveries?.stateOf(given).kind, 'late notifications do not count as on time again').toBe('unknown');
});

test('the alarm of a failing bot that is shut down ends as shut down, not as running again', () => {
  const rule = alarmRules.find(({ alarm }) => alarm === 'discord-bot');
  const isOff = facts({ discord_bot_running: null });
  expect(rule?.stateOf(isOff).kind).toBe('well');
  expect(rule?.over(isOff)).toBe('The Discord bot was shut down.');
  expect(rule?.over(facts())).toBe('The Discord bot runs again.');
});

test.each([
  ['marketplace', 'collection-polls', { collections_overdue_poll_seconds: 9_999 }],
  ['chain', 'treasury-ledger-age', { treasury_ledger_age_seconds: 9_999 }],
] as const)(
  'while the %s does not answer, only that is reported, and %s does not count as over',
  (source, late, figures) => {
    const read = (readAt: Date) => facts(figures, { sources: [{ source, readAt }] });
    expect(failing(read(now))).toEqual([late]);
    const silent = read(new Date(now.getTime() - 900_001));
    expect(failing(silent)).toEqual([`source-${source}`]);
    expect(alarmRules.find(({ alarm }) => alarm === late)?.stateOf(silent).kind).toBe('unknown');
  },
);

test('without figures, every alarm that depends on one is unknown', () => {
  const seen = alarmRules.map((rule) => rule.stateOf(facts({}, { figures: {} })).kind);
  expect(seen.filter((kind) => kind !== 'unknown')).toEqual(['well', 'well', 'well']);
});

test('a source is reported after its limit, counted from the start of this copy if it was never read', () => {
  const late = new Date(now.getTime() - 900_001);
  const sources = [
    { source: 'chain', readAt: late },
    { source: 'prices', readAt: null },
  ] as const;
  expect(failing(facts({}, { sources }))).toEqual(['source-chain']);
  expect(failing(facts({}, { sources, startedAt: late }))).toEqual(['source-chain', 'source-prices']);
});

test('a source that was never read is neither failing nor well until this copy has run as long as its limit', () => {
  const given = facts(
    { collections_overdue_poll_seconds: 9_999 },
    { sources: [{ source: 'marketplace', readAt: null }] },
  );
  const kindOf = (name: string) => alarmRules.find(({ alarm }) => alarm === name)?.stateOf(given).kind;
  expect(kindOf('source-marketplace')).toBe('unknown');
  expect(kindOf('collection-polls'), 'it depends on that source').toBe('unknown');
});

test('every alarm says what it means, where to look and when it is over', () => {
  for (const { what, meaning, whereToLook, over } of alarmRules)
    for (const text of [what(facts()), meaning, whereToLook, over(facts())]) expect(text).toMatch(/^[A-Z].+\.$/s);
});
