import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { intents } from './gateway/intents.ts';
import { callGateway, identified } from './gateway-caller.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.discord.reset());

const usual = intents.GUILDS | intents.GUILD_MEMBERS;
const identity = (wanted: object = {}) => ({
  token: sandbox.facts.discordBotToken,
  intents: usual,
  properties: {},
  ...wanted,
});

async function closeCodeOf(op: number, d: unknown, query?: string): Promise<number> {
  const caller = callGateway(sandbox, query);
  await caller.next((payload) => payload.op === 10);
  caller.send(op, d);
  return caller.closed;
}

describe('identify', () => {
  test('sends READY with unavailable servers, then each server, in one numbered sequence', async () => {
    const caller = await identified(sandbox, usual);
    const events = caller.heard.filter(({ op }) => op === 0);
    expect(events.map(({ t, s }) => [t, s])).toEqual([
      ['READY', 1],
      ['GUILD_CREATE', 2],
      ['GUILD_CREATE', 3],
    ]);
    expect(events[0]?.d['guilds']).toEqual(sandbox.discord.guilds().map(({ id }) => ({ id, unavailable: true })));
    expect(events[1]?.d).toMatchObject({ name: 'Rock Mountain', unavailable: false, member_count: 9 });
    caller.break();
  });

  test.each([
    ['a wrong token', { token: 'wrong' }, 4004],
    ['intents that do not exist', { intents: 1 << 30 }, 4013],
    ['an intent the portal does not allow', { intents: intents.MESSAGE_CONTENT }, 4014],
    ['a shard beyond the count', { shard: [2, 2] }, 4010],
    ['no properties', { properties: undefined }, 4002],
  ])('with %s is refused', async (_what, wanted, code) => {
    expect(await closeCodeOf(2, identity(wanted))).toBe(code);
    expect(sandbox.discord.gateway().identifies).toBe(0);
  });

  test('with the members intent is refused while the portal switch is off', async () => {
    sandbox.discord.setPrivilegedIntents({ members: false });
    expect(await closeCodeOf(2, identity())).toBe(4014);
  });

  test('a second time is refused, and so is any other payload before it', async () => {
    const caller = await identified(sandbox, usual);
    caller.send(2, identity());
    expect(await caller.closed).toBe(4005);
    expect(await closeCodeOf(8, { guild_id: '1', query: '', limit: 0 })).toBe(4003);
    expect(await closeCodeOf(99, {})).toBe(4001);
    expect(await closeCodeOf(2, { text: 'x'.repeat(5000) })).toBe(4002);
  });

  test('with another API version or with compression is refused', async () => {
    expect(await callGateway(sandbox, 'v=6&encoding=json').closed).toBe(4012);
    expect(await callGateway(sandbox, 'v=10&encoding=json&compress=zlib-stream').closed).toBe(4002);
  });
});

describe('heartbeats', () => {
  test('are acknowledged until a test turns that off', async () => {
    const caller = await identified(sandbox, usual);
    caller.send(1, 3);
    await caller.next(({ op }) => op === 11);
    sandbox.discord.setHeartbeats({ acknowledges: false });
    caller.send(1, 3);
    await until('the second one is counted', () => sandbox.discord.gateway().heartbeats === 2);
    expect(caller.heard.filter(({ op }) => op === 11)).toHaveLength(1);
    caller.break();
  });

  test('a client that sends none is dropped', async () => {
    sandbox.discord.setHeartbeats({ intervalMs: 40 });
    const caller = callGateway(sandbox);
    const hello = await caller.next(({ op }) => op === 10);
    expect(hello.d['heartbeat_interval']).toBe(40);
    caller.send(2, identity());
    expect(await caller.closed).toBe(4009);
  });

  test('more than 120 payloads a minute are refused', async () => {
    const caller = await identified(sandbox, usual);
    for (let sent = 0; sent < 120; sent += 1) caller.send(1, null);
    expect(await caller.closed).toBe(4008);
  });
});

describe('resume', () => {
  const resumption = (sessionId: string, seq: number) => ({
    token: sandbox.facts.discordBotToken,
    session_id: sessionId,
    seq,
  });

  test('replays exactly the missed events, then sends RESUMED', async () => {
    const first = await identified(sandbox, usual);
    const { guildId, memberIds } = sandbox.discord.seeded;
    first.break();
    await until('the connection is gone', () => sandbox.discord.gateway().connections.length === 0);
    sandbox.discord.removeMember({ guildId, userId: memberIds[0]! });
    const second = callGateway(sandbox);
    await second.next(({ op }) => op === 10);
    second.send(6, resumption(first.sessionId, 3));
    await second.event('RESUMED');
    const events = second.heard.filter(({ op }) => op === 0).map(({ t, s }) => [t, s]);
    expect(events).toEqual([
      ['GUILD_MEMBER_REMOVE', 4],
      ['RESUMED', 5],
    ]);
    second.break();
  });

  test('of a lost session is answered with invalid session', async () => {
    const first = await identified(sandbox, usual);
    sandbox.discord.dropConnections({ isResumable: false });
    await first.closed;
    const second = callGateway(sandbox);
    await second.next(({ op }) => op === 10);
    second.send(6, resumption(first.sessionId, 3));
    expect(await second.next(({ op }) => op === 9)).toMatchObject({ d: false });
    second.break();
  });

  test('from a sequence number not yet sent, or with a wrong token, is refused', async () => {
    const first = await identified(sandbox, usual);
    first.break();
    expect(await closeCodeOf(6, resumption(first.sessionId, 99))).toBe(4007);
    expect(await closeCodeOf(6, { ...resumption(first.sessionId, 1), token: 'wrong' })).toBe(4004);
  });

  test('is not possible after a close with code 1000', async () => {
    sandbox.discord.setHeartbeats({ intervalMs: 60_000 });
    const first = await identified(sandbox, usual);
    sandbox.discord.dropConnections({ code: 1000 });
    expect(await first.closed).toBe(1000);
    await until('the connection is gone', () => sandbox.discord.gateway().connections.length === 0);
    const second = callGateway(sandbox);
    await second.next(({ op }) => op === 10);
    second.send(6, resumption(first.sessionId, 3));
    await second.next(({ op }) => op === 9);
    second.break();
  });

  test('a gateway that is down refuses connections and keeps its sessions', async () => {
    const first = await identified(sandbox, usual);
    sandbox.discord.setGateway({ isUp: false });
    expect(await first.closed).toBe(1006);
    expect(await callGateway(sandbox).closed).toBe(1006);
    sandbox.discord.setGateway({ isUp: true });
    const second = callGateway(sandbox);
    await second.next(({ op }) => op === 10);
    second.send(6, resumption(first.sessionId, 3));
    await second.event('RESUMED');
    sandbox.discord.askToReconnect();
    await second.next(({ op }) => op === 7);
    second.break();
  });
});

describe('events', () => {
  test('arrive only for the requested intents, but those about the bot itself always arrive', async () => {
    const { guildId, memberIds, roles, channels } = sandbox.discord.seeded;
    const all = await identified(sandbox, usual | intents.GUILD_MESSAGES);
    const few = await identified(sandbox, intents.GUILDS);
    sandbox.discord.giveRole({ guildId, userId: memberIds[0]!, roleId: roles.holder });
    sandbox.discord.say({ userId: memberIds[0]!, channelId: channels.welcome, content: 'Hello' });
    sandbox.discord.giveRole({ guildId, userId: sandbox.facts.discordBotId, roleId: roles.holder });
    sandbox.discord.updateGuild({ guildId, name: 'Rock Hill' });
    await all.event('GUILD_UPDATE');
    await few.event('GUILD_UPDATE');
    const after = (caller: typeof all) =>
      caller.heard
        .filter(({ op }) => op === 0)
        .map(({ t }) => t)
        .slice(3);
    expect(after(all)).toEqual(['GUILD_MEMBER_UPDATE', 'MESSAGE_CREATE', 'GUILD_MEMBER_UPDATE', 'GUILD_UPDATE']);
    expect(after(few)).toEqual(['GUILD_MEMBER_UPDATE', 'GUILD_UPDATE']);
    all.break();
    few.break();
  });

  test('report changes to servers, roles, channels and members', async () => {
    const { discord } = sandbox;
    const { guildId, memberIds, roles } = discord.seeded;
    const caller = await identified(sandbox, usual);
    const added = discord.addGuild({ name: 'New Hill', channels: [{ name: 'hi' }] });
    expect(await caller.event('GUILD_CREATE')).toMatchObject({ id: added.id, name: 'New Hill', member_count: 2 });
    discord.setAvailable({ guildId: added.id, isAvailable: false });
    expect(await caller.event('GUILD_DELETE')).toEqual({ id: added.id, unavailable: true });
    discord.setAvailable({ guildId: added.id, isAvailable: true });
    await caller.event('GUILD_CREATE');
    discord.kickBot({ guildId: added.id });
    expect(await caller.event('GUILD_DELETE')).toEqual({ id: added.id });
    discord.joinGuild({ guildId: added.id });
    await caller.event('GUILD_CREATE');
    discord.deleteGuild({ guildId: added.id });
    await caller.event('GUILD_DELETE');
    const role = discord.createRole({ guildId, name: 'Boulder' });
    expect(await caller.event('GUILD_ROLE_CREATE')).toMatchObject({ role: { name: 'Boulder', position: 1 } });
    discord.updateRole({ guildId, roleId: role.id, name: 'Pebble' });
    expect(await caller.event('GUILD_ROLE_UPDATE')).toMatchObject({ role: { name: 'Pebble' } });
    discord.deleteRole({ guildId, roleId: role.id });
    expect(await caller.event('GUILD_ROLE_DELETE')).toEqual({ guild_id: guildId, role_id: role.id });
    discord.moveRole({ guildId, roleId: roles.bot, position: 1 });
    expect(await caller.event('GUILD_ROLE_UPDATE')).toMatchObject({ role: { id: roles.bot, position: 1 } });
    const channel = discord.createChannel({ guildId, name: 'cave' });
    await caller.event('CHANNEL_CREATE');
    discord.setOverwrite({ channelId: channel.id, targetId: guildId, deny: ['SEND_MESSAGES'] });
    expect(await caller.event('CHANNEL_UPDATE')).toMatchObject({
      permission_overwrites: [{ id: guildId, deny: '2048' }],
    });
    discord.deleteChannel({ channelId: channel.id });
    await caller.event('CHANNEL_DELETE');
    discord.removeMember({ guildId, userId: memberIds[0]! });
    expect(await caller.event('GUILD_MEMBER_REMOVE')).toMatchObject({ guild_id: guildId, user: { id: memberIds[0] } });
    discord.addMember({ guildId, userId: memberIds[0]!, roles: ['Rock Holder'] });
    expect(await caller.event('GUILD_MEMBER_ADD')).toMatchObject({ guild_id: guildId, roles: [roles.holder] });
    discord.updateMember({ guildId, userId: memberIds[0]!, nick: 'Gwennie' });
    expect(await caller.event('GUILD_MEMBER_UPDATE')).toMatchObject({ nick: 'Gwennie' });
    caller.break();
  });
});
