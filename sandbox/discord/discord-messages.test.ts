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

describe('messages in channels', () => {
  const send = (body: object, channelId = sandbox.discord.seeded.channels.verify) =>
    refused('POST', `/channels/${channelId}/messages`, { body });

  test('need an existing channel, access to it and permission to write', async () => {
    const { guildId, channels, roles } = sandbox.discord.seeded;
    const channelId = channels.verify;
    expect(await send({ content: 'x' }, '7')).toEqual([404, 10003]);
    sandbox.discord.setOverwrite({ channelId, targetId: roles.bot, deny: ['EMBED_LINKS'] });
    expect(await send({ embeds: [{ title: 'x' }] })).toEqual([403, 50013]);
    expect(await send({ content: 'x' })).toEqual([200, undefined]);
    sandbox.discord.setOverwrite({ channelId, targetId: guildId, deny: ['SEND_MESSAGES'] });
    sandbox.discord.setOverwrite({ channelId, targetId: roles.bot, allow: [], deny: [] });
    expect(await send({ content: 'x' })).toEqual([403, 50013]);
    sandbox.discord.setOverwrite({ channelId, targetId: sandbox.discord.bot.id, allow: ['SEND_MESSAGES'] });
    expect(await send({ content: 'x' })).toEqual([200, undefined]);
    sandbox.discord.setOverwrite({ channelId, targetId: guildId, deny: ['VIEW_CHANNEL'] });
    expect(await send({ content: 'x' })).toEqual([403, 50001]);
    sandbox.discord.deleteChannel({ channelId });
    expect(await send({ content: 'x' })).toEqual([404, 10003]);
  });

  const row = (...components: object[]) => ({ components: [{ type: 1, components }] });
  const button = { type: 2, style: 1, label: 'Go', custom_id: 'go' };
  test.each([
    ['nothing in it', {}, 50006],
    ['only blanks', { content: '  ' }, 50006],
    ['more than 2000 characters', { content: 'x'.repeat(2001) }, 50035],
    ['a description of more than 4096', { embeds: [{ description: 'x'.repeat(4097) }] }, 50035],
    ['two buttons with the same id', row(button, button), 50035],
    ['six buttons in a row', row(...[1, 2, 3, 4, 5, 6].map((id) => ({ ...button, custom_id: `${id}` }))), 50035],
    ['a label of 81 characters', row({ ...button, label: 'x'.repeat(81) }), 50035],
    ['a link button without a link', row({ type: 2, style: 5, label: 'Go' }), 50035],
    [
      'a link button with a javascript link',
      row({ type: 2, style: 5, label: 'Go', url: 'javascript:alert(1)' }),
      50035,
    ],
    ['a button with both an id and a link', row({ ...button, url: 'https://a.example' }), 50035],
    ['an unknown mention rule', { content: 'x', allowed_mentions: { parse: ['all'] } }, 50035],
    ['two mention rules at once', { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } }, 50035],
  ])('with %s are refused', async (_what, body, code) => {
    expect(await send(body)).toEqual([400, code]);
    expect(sandbox.discord.history(sandbox.discord.seeded.channels.verify)).toEqual([]);
  });

  test('with the same enforced nonce are posted once per channel for some minutes; otherwise twice', async () => {
    const { channels } = sandbox.discord.seeded;
    const twice = async (body: object, channelId = channels.verify): Promise<number> => {
      const before = sandbox.discord.history(channelId).length;
      for (let time = 0; time < 2; time += 1) expect(await send(body, channelId)).toEqual([200, undefined]);
      return sandbox.discord.history(channelId).length - before;
    };
    expect(await twice({ content: 'x', nonce: 'n1', enforce_nonce: true })).toBe(1);
    expect(await twice({ content: 'x', nonce: 'n1', enforce_nonce: true }, channels.welcome)).toBe(1);
    expect(await twice({ content: 'x', nonce: 'n2' })).toBe(2);
    expect(await twice({ content: 'x', enforce_nonce: true })).toBe(2);
    expect(await send({ content: 'x', nonce: 'n'.repeat(26) })).toEqual([400, 50035]);
  });

  test('a refusal says which field is wrong', async () => {
    const { channels } = sandbox.discord.seeded;
    const { body } = await call('POST', `/channels/${channels.verify}/messages`, {
      body: { content: 'x'.repeat(2001) },
    });
    expect(body['errors']).toEqual({
      content: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be 2000 or fewer in length.' }] },
    });
  });

  test('ping everyone they mention unless allowed_mentions limits it', async () => {
    const { guildId, channels, memberIds, roles } = sandbox.discord.seeded;
    const [gwen, ben] = memberIds as [string, string];
    const content = `@everyone <@${gwen}> <@!${ben}> <@&${roles.moderator}>`;
    await send({ content });
    sandbox.discord.setBotPermissions({ guildId, permissions: ['VIEW_CHANNEL', 'SEND_MESSAGES', 'MENTION_EVERYONE'] });
    for (const allowed_mentions of [undefined, { parse: [] }, { parse: ['users'] }, { users: [ben], roles: [] }]) {
      await send({ content, ...(allowed_mentions && { allowed_mentions }) });
    }
    expect(sandbox.discord.history(channels.verify).map(({ pinged }) => pinged)).toEqual([
      { everyone: false, roleIds: [], userIds: [gwen, ben] },
      { everyone: true, roleIds: [roles.moderator], userIds: [gwen, ben] },
      { everyone: false, roleIds: [], userIds: [] },
      { everyone: false, roleIds: [], userIds: [gwen, ben] },
      { everyone: false, roleIds: [], userIds: [ben] },
    ]);
  });

  test('can be edited only by their author, and deleted by others with Manage Messages', async () => {
    const { guildId, channels, memberIds } = sandbox.discord.seeded;
    const said = sandbox.discord.say({ userId: memberIds[0]!, channelId: channels.verify, content: 'Mine' });
    const path = `/channels/${channels.verify}/messages/${said.id}`;
    expect(await refused('PATCH', path, { body: { content: 'Yours' } })).toEqual([403, 50005]);
    expect(await refused('DELETE', path)).toEqual([403, 50013]);
    sandbox.discord.setBotPermissions({ guildId, permissions: ['MANAGE_MESSAGES'] });
    expect((await call('DELETE', path)).status).toBe(204);
    expect(await refused('GET', path)).toEqual([404, 10008]);
  });
});
