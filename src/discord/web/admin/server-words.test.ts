import { describe, expect, test } from 'vitest';
import { channelInWords, graceInWords, roleInWords, shownServer } from './server-words.ts';

const config = { roleId: '41', channelId: '51', nftContract: 't', nftName: 'n', graceMinutes: 0, version: 1 };
const role = { id: '41', name: 'Rock Holder', canBeGiven: true };
const channel = { id: '51', name: 'verify', canPost: true };

describe('rulings R5: role and channel by name', () => {
  test('as they are called', () => {
    expect(roleInWords({ config, roles: [role] })).toEqual({ text: 'Rock Holder', inTrouble: false });
    expect(channelInWords({ config, channels: [channel] })).toEqual({ text: '#verify', inTrouble: false });
  });

  test("'Deleted' when they are gone", () => {
    expect(roleInWords({ config, roles: [] })).toEqual({ text: 'Deleted (ID 41)', inTrouble: true });
    expect(channelInWords({ config, channels: [] })).toEqual({ text: 'Deleted (ID 51)', inTrouble: true });
  });

  test('by their ids where the names are not known', () => {
    expect(roleInWords({ config, roles: null })).toEqual({ text: 'ID 41', inTrouble: false });
    expect(channelInWords({ config, channels: null })).toEqual({ text: 'ID 51', inTrouble: false });
  });

  test('of no use to the bot', () => {
    expect(roleInWords({ config, roles: [{ ...role, canBeGiven: false }] })).toMatchObject({ inTrouble: true });
    expect(channelInWords({ config, channels: [{ ...channel, canPost: false }] })).toMatchObject({ inTrouble: true });
  });

  test('none chosen is a trouble only where a collection is configured', () => {
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
