import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../ui/api/versioned-change.tsx';
import {
  bodyOf,
  endOfContract,
  graceMinutesIn,
  prefilled,
  problemsOf,
  shownFields,
  changedValuesOf,
} from './configure-dialog.tsx';
import type { DiscordGuild } from './discord-answers.ts';

const bare: DiscordGuild = {
  id: '30001',
  name: 'Cave',
  memberCount: 1,
  config: null,
  roles: [],
  channels: [],
  problems: [],
  verifiedCount: 0,
  hasWaitingRemoval: false,
};
const config = { roleId: '41', channelId: '51', nftContract: '0x1::a::B', nftName: 'Bs', graceMinutes: 60, version: 3 };
const configured: DiscordGuild = { ...bare, config };
const own = '0x9::rocks::Nft';

describe('specification 2 and 3: the pre-fill', () => {
  test('is the existing config', () => {
    expect(prefilled(configured, own)).toEqual({ nftContract: '0x1::a::B', nftName: 'Bs', grace: '60' });
  });

  test("is the product's own collection where there is none", () => {
    expect(prefilled(bare, own)).toEqual({ nftContract: own, nftName: 'Sui Rocks', grace: '0' });
  });
});

describe('specification 5 and 7: the payload', () => {
  test('has contract and name from the form, role and channel from the existing config', () => {
    expect(bodyOf({ nftContract: ' 0x2::c::D ', nftName: ' Ds ', grace: '60' }, configured)).toEqual({
      guildId: '30001',
      roleId: '41',
      channelId: '51',
      nftContract: '0x2::c::D',
      nftName: 'Ds',
    });
  });

  test('falls back to the existing config for empty fields', () => {
    const body = bodyOf({ nftContract: '', nftName: ' ', grace: '60' }, configured);
    expect(body).toMatchObject({ nftContract: '0x1::a::B', nftName: 'Bs' });
  });

  test('has an empty role and no channel where nothing is configured', () => {
    expect(bodyOf(prefilled(bare, own), bare)).toEqual({
      guildId: '30001',
      roleId: '',
      channelId: undefined,
      nftContract: own,
      nftName: 'Sui Rocks',
    });
  });

  test('carries the grace period only when it was changed', () => {
    expect(bodyOf({ nftContract: 'a', nftName: 'b', grace: '61' }, configured)).toMatchObject({ graceMinutes: 61 });
    expect(bodyOf({ nftContract: 'a', nftName: 'b', grace: '' }, configured)).toMatchObject({ graceMinutes: 0 });
    expect(bodyOf(prefilled(configured, own), configured)).not.toHaveProperty('graceMinutes');
  });

  test('leaves a grace period that is not known as it is, unless one is typed', () => {
    const unknown: DiscordGuild = { ...configured, config: { ...config, graceMinutes: null } };
    expect(bodyOf(prefilled(unknown, own), unknown)).not.toHaveProperty('graceMinutes');
    expect(bodyOf({ nftContract: 'a', nftName: 'b', grace: '0' }, unknown)).toMatchObject({ graceMinutes: 0 });
  });
});

test.each([
  ['', 0],
  [' 90 ', 90],
  ['43200', 43_200],
  ['43201', null],
  ['-1', null],
  ['1.5', null],
  ['a day', null],
  ['9'.repeat(20), null],
])("a grace period typed as '%s' is %s minutes", (text, minutes) => {
  expect(graceMinutesIn(text)).toBe(minutes);
});

test("an empty field without a fallback is 'Required'", () => {
  const empty = { nftContract: ' ', nftName: '', grace: '0' };
  expect(problemsOf(empty, bare)).toEqual({ nftContract: 'Required', nftName: 'Required' });
  expect(problemsOf(empty, configured)).toEqual({});
  expect(Object.keys(problemsOf({ ...empty, grace: 'x' }, configured))).toEqual(['grace']);
});

test('rulings R6: a stale save shows both versions of each difference, and what others changed besides', () => {
  const now: DiscordGuild = { ...configured, config: { ...config, nftName: 'Theirs', roleId: '', version: 4 } };
  const form = { ...prefilled(configured, own), nftName: 'Mine' };
  const versions = { yours: changedValuesOf(form, now), before: shownFields(configured), now: shownFields(now) };
  expect(linesOf(versions)).toEqual([
    ['Display name, yours', 'Mine'],
    ['Display name, saved', 'Theirs'],
    ['Role', 'Deleted (ID 41) became None yet. Use /setup in the server to choose one.'],
  ]);
});

test('the end of a long contract, which the field cuts off, is shown', () => {
  expect(endOfContract(`0x${'ab'.repeat(32)}::rocks::Nft`)).toBe('::rocks::Nft');
  expect([own, '', 'rocks and stones and pebbles and more'].map(endOfContract)).toEqual([null, null, null]);
});
