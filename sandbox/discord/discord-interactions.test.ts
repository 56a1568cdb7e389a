import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Interaction } from './discord-state.ts';
import { identified } from './gateway-caller.ts';
import { interactionCaller } from './interaction-caller.ts';

let sandbox: Sandbox;
let bot: ReturnType<typeof interactionCaller>;
beforeAll(async () => {
  sandbox = await startSandbox({ discordLimits: false });
  bot = interactionCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => bot.begin());

const ephemeral = 64;
const webhook = ({ token }: Interaction, path = '') => `/webhooks/${sandbox.discord.bot.id}/${token}${path}`;
const contents = (messages: readonly { content: string }[]) => messages.map(({ content }) => content);

describe('a slash command', () => {
  test('reaches the bot with its person, channel and options, whatever the intents', async () => {
    const { guildId, roles, ownerId } = sandbox.discord.seeded;
    const caller = await identified(sandbox, 0);
    const { channelId } = bot.place();
    sandbox.discord.command({
      userId: ownerId,
      channelId,
      name: 'setup',
      options: { role: roles.holder, channel: channelId, days: 3 },
    });
    expect(await caller.event('INTERACTION_CREATE')).toMatchObject({
      type: 2,
      guild_id: guildId,
      channel_id: channelId,
      context: 0,
      member: { user: { id: ownerId } },
      data: {
        name: 'setup',
        options: [
          { name: 'role', type: 8, value: roles.holder },
          { name: 'channel', type: 7, value: channelId },
          { name: 'days', type: 4, value: 3 },
        ],
        resolved: { roles: { [roles.holder]: { name: 'Rock Holder' } }, channels: { [channelId]: { name: 'verify' } } },
      },
    });
    caller.break();
  });

  test('from direct messages has a user and no server', async () => {
    const caller = await identified(sandbox, 0);
    const { userId } = bot.place();
    sandbox.discord.command({ userId, name: 'wallets', subcommand: 'list' });
    const heard = await caller.event('INTERACTION_CREATE');
    expect(heard).toMatchObject({ context: 1, user: { id: userId }, data: { options: [{ name: 'list', type: 1 }] } });
    expect(heard).not.toHaveProperty('guild_id');
    expect(heard).not.toHaveProperty('member');
    caller.break();
  });

  test("is refused if the person's own client would not send it", () => {
    const { discord } = sandbox;
    const { ownerId, moderatorId, guildId, roles, channels } = discord.seeded;
    const setup = (wanted: object) => () =>
      discord.command({ userId: ownerId, channelId: channels.verify, name: 'setup', ...wanted });
    const role = roles.holder;
    expect(setup({ name: 'dance' })).toThrow('no command');
    expect(setup({})).toThrow('role is required');
    expect(setup({ options: { role: '7' } })).toThrow('does not exist here');
    expect(setup({ options: { role, colour: 'red' } })).toThrow('no option colour');
    expect(setup({ options: { role, days: 8 } })).toThrow('out of range');
    expect(setup({ options: { role, days: 1.5 } })).toThrow('whole number');
    const voice = discord.createChannel({ guildId, name: 'talk', kind: 'voice' });
    expect(setup({ options: { role, channel: voice.id } })).toThrow('takes no voice channel');
    expect(setup({ channelId: undefined, options: { role } })).toThrow('cannot be used here');
    expect(setup({ userId: bot.place().userId, options: { role } })).toThrow('may not use /setup');
    expect(setup({ userId: moderatorId, options: { role } })).not.toThrow();
    discord.setOverwrite({ channelId: channels.verify, targetId: guildId, deny: ['VIEW_CHANNEL'] });
    expect(() => bot.why()).toThrow('cannot see');
    discord.kickBot({ guildId });
    expect(setup({ options: { role } })).toThrow('not in Rock Mountain');
  });
});

describe('the callback', () => {
  test('is accepted once and within three seconds', async () => {
    const first = bot.why();
    expect(await bot.answer(first, { type: 4, data: { content: 'So' } })).toBeUndefined();
    expect(await bot.answer(first, { type: 4, data: { content: 'Again' } })).toBe(40060);
    expect(first).toMatchObject({ state: 'answered', answers: [{ content: 'So' }] });
    expect(first.answeredAfterMs).toBeLessThan(3000);
    sandbox.discord.setInteractionDeadline({ milliseconds: 30 });
    const late = bot.why();
    await until('its time is up', () => late.state === 'failed');
    expect(await bot.answer(late, { type: 5 })).toBe(10062);
    expect(
      (await bot.call('PATCH', webhook(late, '/messages/@original'), { body: { content: 'x' } })).body['code'],
    ).toBe(10015);
  });

  test('has a deadline of three seconds unless a test changes it', async () => {
    const begun = performance.now();
    const late = bot.why();
    await until('its time is up', () => late.state === 'failed');
    expect(performance.now() - begun).toBeGreaterThan(2950);
  });

  test('needs the right id, token and kind', async () => {
    const one = bot.why();
    expect(await bot.answer({ ...one, token: 'x' }, { type: 5 })).toBe(10062);
    expect(await bot.answer({ ...one, id: '7' }, { type: 5 })).toBe(10062);
    expect(await bot.answer(one, { type: 7, data: { content: 'x' } })).toBe(50035);
    expect(await bot.answer(one, { type: 4, data: {} })).toBe(50006);
    expect(await bot.answer(one, { type: 99 })).toBe(50035);
    expect(one.state).toBe('waiting');
  });

  test('fixes whether a deferred answer is ephemeral; the first follow-up replaces that answer', async () => {
    const one = bot.why();
    await bot.answer(one, { type: 5, data: { flags: ephemeral } });
    expect(one).toMatchObject({ state: 'deferred', answers: [{ isLoading: true, ephemeralFor: bot.place().userId }] });
    await bot.call('POST', webhook(one), { body: { content: 'First' }, token: null });
    await bot.call('POST', webhook(one), { body: { content: 'Second' }, token: null });
    expect(one.state).toBe('answered');
    expect(contents(sandbox.discord.sees(bot.place()))).toEqual(['First', 'Second']);
    const other = { ...bot.place(), userId: sandbox.discord.seeded.memberIds[1]! };
    expect(contents(sandbox.discord.sees(other))).toEqual(['Second']);
  });

  test('allows answers to be edited for fifteen minutes unless a test changes that', async () => {
    const one = bot.why();
    await bot.answer(one, { type: 5 });
    const change = () =>
      bot.call('PATCH', webhook(one, '/messages/@original'), { body: { content: 'x' }, token: null });
    expect((await change()).status).toBe(200);
    sandbox.discord.setInteractionTokenLife({ milliseconds: 1 });
    expect(await change()).toMatchObject({ status: 401, body: { code: 50027 } });
  });

  test('must come before any edit or follow-up', async () => {
    const one = bot.why();
    expect((await bot.call('POST', webhook(one), { body: { content: 'x' }, token: null })).body['code']).toBe(10015);
    expect(
      (await bot.call('PATCH', webhook(one, '/messages/@original'), { body: { content: 'x' } })).body['code'],
    ).toBe(10015);
  });

  test('an answer can be edited and deleted; only a visible one causes message events', async () => {
    const caller = await identified(sandbox, 1 << 9);
    const one = bot.why();
    await bot.answer(one, { type: 4, data: { content: 'Hidden', flags: ephemeral } });
    await bot.call('PATCH', webhook(one, '/messages/@original'), { body: { content: 'Still hidden' }, token: null });
    expect(one.answers).toMatchObject([{ content: 'Still hidden', edits: [{ content: 'Hidden' }] }]);
    await bot.call('DELETE', webhook(one, '/messages/@original'), { token: null });
    expect(one.answers).toEqual([]);
    const two = bot.why();
    await bot.answer(two, { type: 4, data: { content: 'Open' } });
    expect(await caller.event('MESSAGE_CREATE')).toMatchObject({ content: 'Open' });
    expect(caller.heard.filter(({ t }) => t === 'MESSAGE_CREATE')).toHaveLength(1);
    caller.break();
  });
});
