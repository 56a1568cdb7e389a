import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { discordCaller, discordRefusals } from './discord-caller.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof discordCaller>;
let refused: ReturnType<typeof discordRefusals>;
beforeAll(async () => {
  sandbox = await startSandbox({ discordLimits: false });
  call = discordCaller(sandbox);
  refused = discordRefusals(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.discord.reset();
  sandbox.discord.setLimits({ enforced: false });
});

const rolePath = (guildId: string, userId: string, roleId: string) =>
  `/guilds/${guildId}/members/${userId}/roles/${roleId}`;

describe('a call', () => {
  test('without the right token gets 401', async () => {
    expect(await refused('GET', '/users/@me', { token: 'wrong' })).toEqual([401, 0]);
    expect(await refused('GET', '/users/@me', { token: null })).toEqual([401, 0]);
  });

  test('to an unknown path gets 404, with a wrong method 405, with an old version or a malformed id 400', async () => {
    expect(await refused('GET', '/moon')).toEqual([404, 0]);
    expect(await refused('DELETE', '/users/@me')).toEqual([405, 0]);
    const answer = await fetch(`${sandbox.urls.discord}/api/v6/users/@me`);
    expect(await answer.json()).toMatchObject({ code: 50041 });
    expect(await refused('GET', '/guilds/hello')).toEqual([400, 50035]);
  });

  test('about a server without the bot gets unknown guild or missing access', async () => {
    const { guildId, channels } = sandbox.discord.seeded;
    const { id } = sandbox.discord.addGuild({ name: 'Foreign', bot: 'absent' });
    expect(await refused('GET', `/guilds/${id}`)).toEqual([404, 10004]);
    sandbox.discord.kickBot({ guildId });
    expect(await refused('GET', `/guilds/${guildId}`)).toEqual([404, 10004]);
    const body = { content: 'x' };
    expect(await refused('POST', `/channels/${channels.verify}/messages`, { body })).toEqual([403, 50001]);
    expect(
      await refused('PUT', `/applications/${sandbox.discord.bot.id}/guilds/${guildId}/commands`, { body: [] }),
    ).toEqual([403, 50001]);
  });
});

describe('roles of members', () => {
  test('are given and taken with a reason; a repeated call changes nothing', async () => {
    const { guildId, memberIds, roles } = sandbox.discord.seeded;
    const path = rolePath(guildId, memberIds[0]!, roles.holder);
    expect((await call('PUT', path, { reason: 'Hält 3 rocks' })).status).toBe(204);
    expect((await call('PUT', path)).status).toBe(204);
    expect(sandbox.discord.membersWithRole({ guildId, roleId: roles.holder })).toEqual([memberIds[0]]);
    expect((await call('DELETE', path, { reason: 'Sold' })).status).toBe(204);
    expect(sandbox.discord.roleChanges()).toMatchObject([
      { kind: 'given', reason: 'Hält 3 rocks', userId: memberIds[0] },
      { kind: 'taken', reason: 'Sold' },
    ]);
  });

  test('need an existing member and role', async () => {
    const { guildId, memberIds, roles } = sandbox.discord.seeded;
    const stranger = sandbox.discord.createUser({ username: 'stranger' });
    expect(await refused('PUT', rolePath(guildId, stranger.id, roles.holder))).toEqual([404, 10007]);
    expect(await refused('PUT', rolePath(guildId, memberIds[0]!, '7'))).toEqual([404, 10011]);
    sandbox.discord.removeMember({ guildId, userId: memberIds[0]! });
    expect(await refused('DELETE', rolePath(guildId, memberIds[0]!, roles.holder))).toEqual([404, 10007]);
    sandbox.discord.deleteRole({ guildId, roleId: roles.holder });
    expect(await refused('PUT', rolePath(guildId, memberIds[1]!, roles.holder))).toEqual([404, 10011]);
  });

  test("need Manage Roles and a role below the bot's highest; managed roles are refused", async () => {
    const { guildId, memberIds, roles, low } = sandbox.discord.seeded;
    const userId = memberIds[0]!;
    const holder = rolePath(guildId, userId, roles.holder);
    const cannot = [403, 50013];
    expect(await refused('PUT', rolePath(low.guildId, userId, low.holderRoleId))).toEqual(cannot);
    expect(await refused('PUT', rolePath(guildId, userId, roles.moderator))).toEqual(cannot);
    expect(await refused('PUT', rolePath(guildId, userId, roles.bot))).toEqual(cannot);
    expect(await refused('PUT', rolePath(guildId, userId, guildId))).toEqual(cannot);
    sandbox.discord.setBotPermissions({ guildId, permissions: ['VIEW_CHANNEL'] });
    expect(await refused('PUT', holder)).toEqual(cannot);
    sandbox.discord.setBotPermissions({ guildId, permissions: ['MANAGE_ROLES'] });
    sandbox.discord.moveRole({ guildId, roleId: roles.bot, position: 1 });
    expect(await refused('PUT', holder)).toEqual(cannot);
    sandbox.discord.moveRole({ guildId, roleId: roles.bot, position: 3 });
    expect((await call('PUT', rolePath(guildId, userId, roles.moderator))).status).toBe(204);
  });

  test('a newly invited bot has the lowest role, as in Discord', async () => {
    const { guildId, memberIds, roles } = sandbox.discord.seeded;
    sandbox.discord.kickBot({ guildId });
    sandbox.discord.joinGuild({ guildId });
    expect(sandbox.discord.botRole(guildId)?.position).toBe(1);
    expect(await refused('PUT', rolePath(guildId, memberIds[0]!, roles.holder))).toEqual([403, 50013]);
  });
});

test('members are listed by id in pages, and found by a prefix of their names', async () => {
  const { guildId } = sandbox.discord.seeded;
  sandbox.discord.addMembers({ guildId, count: 5, name: 'late' });
  const ids: string[] = [];
  for (let after = '0'; ; after = ids.at(-1)!) {
    const page = (await call('GET', `/guilds/${guildId}/members?limit=4&after=${after}`)).body as unknown as {
      user: { id: string };
    }[];
    if (page.length === 0) break;
    ids.push(...page.map(({ user }) => user.id));
  }
  expect(ids).toHaveLength(14);
  expect(ids.toSorted()).toEqual([...sandbox.discord.guild(guildId).members.keys()].toSorted());
  const found = await call('GET', `/guilds/${guildId}/members/search?query=LATE&limit=3`);
  expect(found.body).toHaveLength(3);
  expect(await refused('GET', `/guilds/${guildId}/members?limit=1001`)).toEqual([400, 50035]);
});

describe('direct messages', () => {
  const open = async (userId: string): Promise<string> =>
    String((await call('POST', '/users/@me/channels', { body: { recipient_id: userId } })).body['id']);

  test('reach a person who shares a server and accepts them', async () => {
    const { memberIds } = sandbox.discord.seeded;
    const channelId = await open(memberIds[0]!);
    expect((await call('POST', `/channels/${channelId}/messages`, { body: { content: 'Hi' } })).status).toBe(200);
    expect(sandbox.discord.directMessages(memberIds[0]!)).toMatchObject([{ content: 'Hi', guildId: null }]);
  });

  test('do not reach a person who closed them, left every server or does not exist', async () => {
    const { guildId, low, memberIds } = sandbox.discord.seeded;
    const body = { content: 'Hi' };
    sandbox.discord.setDms({ userId: memberIds[0]!, isClosed: true });
    expect(await refused('POST', `/channels/${await open(memberIds[0]!)}/messages`, { body })).toEqual([403, 50007]);
    const left = await open(memberIds[1]!);
    for (const id of [guildId, low.guildId]) sandbox.discord.removeMember({ guildId: id, userId: memberIds[1]! });
    expect(await refused('POST', `/channels/${left}/messages`, { body })).toEqual([403, 50007]);
    expect(await refused('POST', '/users/@me/channels', { body: { recipient_id: '7' } })).toEqual([400, 50033]);
  });
});

describe('commands', () => {
  const put = (...all: object[]) => refused('PUT', `/applications/${sandbox.discord.bot.id}/commands`, { body: all });
  const verify = { name: 'verify', description: 'Verifies' };
  const option = { type: 3, name: 'word', description: 'A word' };

  test.each([
    ['a name in capitals', { ...verify, name: 'Verify' }],
    ['a name with blanks', { ...verify, name: 'ver ify' }],
    ['no description', { name: 'verify' }],
    ['a description of 101 characters', { ...verify, description: 'x'.repeat(101) }],
    ['a required option after another', { ...verify, options: [option, { ...option, name: 'more', required: true }] }],
    ['two options with the same name', { ...verify, options: [option, option] }],
  ])('with %s are refused', async (_what, body) => {
    expect(await put(body)).toEqual([400, 50035]);
    expect(sandbox.discord.commands()).toEqual([]);
  });

  test('are replaced as a whole, and keep their id as long as their name', async () => {
    await put(verify, { ...verify, name: 'why' });
    const [first] = sandbox.discord.commands();
    await put({ ...verify, description: 'Verifies you' });
    expect(sandbox.discord.commands()).toMatchObject([{ id: first?.['id'], description: 'Verifies you' }]);
    expect(await put(verify, verify)).toEqual([400, 50035]);
  });
});
