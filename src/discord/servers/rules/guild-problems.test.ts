import { describe, expect, test } from 'vitest';

import { guildProblems, problemForDiscord, problemOfRole } from './guild-problems.ts';
import type { GuildConfig, KnownGuild } from './known-guild.ts';

const manageRoles = (1n << 28n).toString();
const config: GuildConfig = {
  roleId: '10',
  channelId: '20',
  nftContract: '0x1::rocks::Nft',
  nftName: 'Rocks',
  graceMinutes: 0,
  version: 1,
};
const guild: KnownGuild = {
  guildId: '1',
  name: 'Rock Mountain',
  memberCount: 9,
  roles: [
    { id: '12', name: 'Bot', position: 3, isManaged: true },
    { id: '10', name: 'Holder', position: 2, isManaged: false },
    { id: '11', name: 'Booster', position: 1, isManaged: true },
  ],
  channels: [
    { id: '20', name: 'verify', canView: true, canSend: true },
    { id: '21', name: 'hidden', canView: false, canSend: false },
    { id: '22', name: 'news', canView: true, canSend: false },
  ],
  botPermissions: manageRoles,
  botTopPosition: 3,
  isPresent: true,
  isInOutage: false,
  verifiedCount: 0,
  hasWaitingRemoval: false,
  config,
};
const codes = (changes: Partial<KnownGuild>, configured: Partial<GuildConfig> = {}, hasMarketKey = true) =>
  guildProblems({ ...guild, config: { ...config, ...configured }, ...changes }, hasMarketKey).map(({ code }) => code);

describe('Problems that keep the bot from working in a server', () => {
  test('there are none when role, permission and channel are right, and none in a server that is not configured', () => {
    expect(codes({})).toEqual([]);
    expect(codes({}, { channelId: null })).toEqual([]);
    expect(codes({ config: null, roles: [], channels: [], botPermissions: '0' })).toEqual([]);
  });

  test.each([
    ['no role was chosen yet', {}, { roleId: '' }, 'no-role'],
    ['the role was deleted', {}, { roleId: '99' }, 'role-missing'],
    ['the role is @everyone, which has the server’s id', {}, { roleId: '1' }, 'role-is-everyone'],
    ['the role belongs to an integration', {}, { roleId: '11' }, 'role-managed'],
    ['the role is above the bot’s highest', { botTopPosition: 1 }, {}, 'role-too-high'],
    ['the role is level with the bot’s highest', { botTopPosition: 2 }, {}, 'role-too-high'],
    ['the bot may not manage roles', { botPermissions: (1n << 11n).toString() }, {}, 'no-manage-roles'],
    ['the channel was deleted', {}, { channelId: '99' }, 'channel-missing'],
    ['the bot cannot see the channel', {}, { channelId: '21' }, 'channel-hidden'],
    ['the bot cannot post in the channel', {}, { channelId: '22' }, 'channel-read-only'],
  ])('%s', (_what, changes, configured, code) => {
    expect(codes(changes, configured)).toEqual([code]);
  });

  test('a missing marketplace key is one in every configured server and in no other', () => {
    expect(codes({}, {}, false)).toEqual(['marketplace-key-missing']);
    expect(codes({ config: null }, {}, false)).toEqual([]);
    const [problem] = guildProblems(guild, false);
    expect(problem?.fix).toMatch(/^Set MARKET_API_USER and MARKET_API_KEY /);
  });

  test('several at once are all listed, each with a sentence and a fix', () => {
    const problems = guildProblems(
      { ...guild, botPermissions: '0', config: { ...config, roleId: '99', channelId: '99' } },
      true,
    );
    expect(problems.map(({ code }) => code)).toEqual(['role-missing', 'no-manage-roles', 'channel-missing']);
    for (const { message, fix } of problems)
      expect([message, fix].every((text) => /^[A-Z@].*\.$/.test(text))).toBe(true);
  });

  test('an administrator may manage roles', () => {
    expect(codes({ botPermissions: (1n << 3n).toString() })).toEqual([]);
  });

  test('names of roles are shown in Discord without formatting, links or mentions', () => {
    const role = { id: '10', name: '**[free](https://evil.example) <@1>', position: 9, isManaged: false };
    const problem = problemOfRole({ ...guild, roles: [role] }, '10');
    expect(problem === null ? '' : problemForDiscord(problem)).not.toMatch(/\*\*|\]\(|<@|:\/\//);
  });
});
