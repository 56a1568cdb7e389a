import { describe, expect, test } from 'vitest';
import { timeUntilInWords } from '../../../ui/age-in-words.ts';
import {
  answerWords,
  channelInWords,
  codeInWords,
  graceInWords,
  roleInWords,
  roleWords,
  shownServer,
  sweepInWords,
  unlinkEffectInWords,
} from './discord-words.ts';

const config = { roleId: '41', channelId: '51', nftContract: 't', nftName: 'n', graceMinutes: 0, version: 1 };
const role = { id: '41', name: 'Rock Holder', canBeGiven: true };
const channel = { id: '51', name: 'verify', canPost: true };

describe('rulings R5: role and channel by name', () => {
  test('are shown with their names', () => {
    expect(roleInWords({ config, roles: [role] })).toEqual({ text: 'Rock Holder', inTrouble: false });
    expect(channelInWords({ config, channels: [channel] })).toEqual({ text: '#verify', inTrouble: false });
  });

  test("are 'Deleted' when they are gone", () => {
    expect(roleInWords({ config, roles: [] })).toEqual({ text: 'Deleted (ID 41)', inTrouble: true });
    expect(channelInWords({ config, channels: [] })).toEqual({ text: 'Deleted (ID 51)', inTrouble: true });
  });

  test('are shown by id where the names are not known', () => {
    expect(roleInWords({ config, roles: null })).toEqual({ text: 'ID 41', inTrouble: false });
    expect(channelInWords({ config, channels: null })).toEqual({ text: 'ID 51', inTrouble: false });
  });

  test('are in trouble when the bot cannot use them', () => {
    expect(roleInWords({ config, roles: [{ ...role, canBeGiven: false }] })).toMatchObject({ inTrouble: true });
    expect(channelInWords({ config, channels: [{ ...channel, canPost: false }] })).toMatchObject({ inTrouble: true });
  });

  test('a missing role is a trouble only where a collection is configured', () => {
    expect(roleInWords({ config: null, roles: [role] }).inTrouble).toBe(false);
    expect(roleInWords({ config: { ...config, roleId: '' }, roles: [role] }).inTrouble).toBe(true);
    expect(channelInWords({ config: { ...config, channelId: '' }, channels: [channel] }).text).toContain('None yet');
  });
});

test.each([
  [0, 'None: the role ends with the second check'],
  [1, '1 minute'],
  [90, '1 hour 30 minutes'],
  [1_440, '1 day'],
  [43_200, '30 days'],
  [1_501, '1 day 1 hour 1 minute'],
])('a grace period of %d minutes is %s', (minutes, words) => {
  expect(graceInWords(minutes)).toBe(words);
});

test('rulings R3: direction tricks, line breaks and length of a name do not reach the screen', () => {
  expect(shownServer({ name: '\u202Egnp.exe\nCave' })).toBe('gnp.exe Cave');
  expect(shownServer({ name: 'x'.repeat(500) })).toBe(`${'x'.repeat(59)}…`);
});

const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T12:12:30Z', 'in 12 min'],
  ['2026-11-20T12:00:40Z', 'in 40 s'],
  ['2026-11-22T13:00:00Z', 'in 2 days'],
  ['2026-11-20T11:00:00Z', 'now'],
  ['nonsense', 'time unknown'],
])('%s is %s', (at, words) => {
  expect(timeUntilInWords(at, now)).toBe(words);
});

test("rulings R5: the check has three answers, and 'Not checked yet' is none of them", () => {
  const words = ([null, 'holds', 'does-not-hold', 'unknown'] as const).map((answer) => answerWords(answer).word);
  expect(words).toEqual(['Not checked yet', 'Holds', 'Does not hold', 'Could not be read']);
});

test('a role that Discord has not reported is not called missing', () => {
  expect([roleWords(true), roleWords(false), roleWords(null)]).toEqual(['Assigned', 'Not assigned', 'Not known yet']);
});

test.each([
  ['holder', 1, /the role ends after a second check/],
  ['kept', 1, /the role ends after a second check/],
  ['kept', 2, /^The role stays, as an admin decided/],
  ['braked', 1, /the role stays until an admin decides/],
  ['none', 1, /no role ends/],
  [null, 1, /the role ends after a second check/],
] as const)('what unlinking a wallet leads to: %s with %i wallets', (roleState, walletCount, effect) => {
  expect(unlinkEffectInWords(roleState, walletCount)).toMatch(effect);
});

test('a sweep is described with its figures and its duration', () => {
  const sweep = { at: '', checked: 200, holding: 150, notHolding: 45, unknown: 5, durationMs: 1_240, failure: null };
  expect(sweepInWords(sweep)).toBe('200 checked in 1.2 s: 150 hold, 45 do not, 5 could not be read');
  expect(sweepInWords({ ...sweep, unknown: 0, durationMs: 75_000 })).toBe('200 checked in 1 min: 150 hold, 45 do not');
  expect(sweepInWords({ ...sweep, checked: 2, holding: 1, notHolding: 1, unknown: 0 })).toBe(
    '2 checked in 1.2 s: 1 holds, 1 does not',
  );
  expect(sweepInWords({ ...sweep, checked: 0 })).toBe('5 could not be read');
  expect(sweepInWords({ ...sweep, checked: 0, unknown: 0 })).toBe('nobody to check');
});

test('codes are shown as words', () => {
  expect(codeInWords('data-deleted')).toBe('data deleted');
});
