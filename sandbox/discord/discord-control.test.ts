import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../start-sandbox.ts';
import type { Sandbox, SandboxOptions } from '../start-sandbox.ts';
import { discordCaller } from './discord-caller.ts';
import { callGateway, identified } from './gateway-caller.ts';
import { createSnowflakes } from './snowflakes.ts';

const running: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()));
});

async function started(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

const now = () => new Date('2026-11-21T00:00:00Z');
const idsOf = ({ discord }: Sandbox): string[] => {
  const { guildId, memberIds, channels } = discord.seeded;
  const guild = discord.addGuild({ name: 'New', roles: [{ name: 'R' }], channels: [{ name: 'c' }] });
  const said = discord.say({ userId: memberIds[0]!, channelId: channels.welcome, content: 'x' });
  return [
    guild.id,
    ...guild.roles.keys(),
    ...guild.channels.keys(),
    said.id,
    ...discord.addMembers({ guildId, count: 3 }),
  ];
};

test('seeded objects have the same ids on every start; ids made later differ with the run mark', async () => {
  const [one, other, same] = [
    await started({ now, runMark: 'one' }),
    await started({ now, runMark: 'other' }),
    await started({ now, runMark: 'one' }),
  ];
  expect(one.discord.seeded).toEqual(other.discord.seeded);
  const ids = idsOf(one);
  expect(new Set(ids).size).toBe(ids.length - 1);
  expect(idsOf(same)).toEqual(ids);
  const known = new Set(ids);
  expect(idsOf(other).filter((id) => known.has(id))).toEqual([]);
  one.discord.reset();
  expect(one.discord.seeded).toEqual(other.discord.seeded);
  expect(idsOf(one).filter((id) => known.has(id))).toEqual([]);
});

test('an id contains its time, and each is later than the one before', () => {
  const ids = createSnowflakes(now);
  const many = Array.from({ length: 3000 }, () => BigInt(ids.next()));
  expect(Number(many[0]! >> 22n) + 1_420_070_400_000).toBe(now().getTime());
  expect(many.every((id, index) => index === 0 || id > many[index - 1]!)).toBe(true);
});

test('the console can also drive and read everything', async () => {
  const sandbox = await started();
  const order = async (name: string, body: object) => {
    const answer = await fetch(`${sandbox.urls.console}/control/discord/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      ...((await answer.json()) as { data?: Record<string, unknown>; message?: string }),
    };
  };
  const read = async (name: string) =>
    ((await (await fetch(`${sandbox.urls.console}/control/discord/${name}`)).json()) as { data: unknown }).data;
  const { guildId, memberIds, roles, channels } = sandbox.discord.seeded;
  expect(await read('seeded')).toEqual(sandbox.discord.seeded);
  await order('give-role', { guildId, userId: memberIds[0], roleId: roles.holder });
  expect(await read(`members-with-role?guildId=${guildId}&roleId=${roles.holder}`)).toEqual([memberIds[0]]);
  await order('say', { userId: memberIds[0], channelId: channels.welcome, content: 'Hello' });
  expect(await read(`history?channelId=${channels.welcome}`)).toMatchObject([{ content: 'Hello' }]);
  expect(await order('move-role', { guildId, roleId: roles.bot, position: 1, loud: true })).toMatchObject({
    status: 400,
    message: expect.stringContaining('loud') as string,
  });
  expect(await order('kick-bot', { guildId: '7' })).toMatchObject({ status: 409, message: 'There is no server 7' });
  expect((await order('toString', {})).status).toBe(404);
  expect(await read('guilds')).toHaveLength(2);
});

test('a reset restores the seeded servers, ends sessions and keeps the global commands', async () => {
  const sandbox = await started();
  const { discord } = sandbox;
  const command = { name: 'why', description: 'Explains' };
  await discordCaller(sandbox)('PUT', `/applications/${discord.bot.id}/commands`, { body: [command] });
  const caller = await identified(sandbox, 1);
  const { guildId } = discord.seeded;
  discord.deleteGuild({ guildId });
  discord.reset();
  expect(await caller.closed).toBe(1006);
  expect(discord.guild(guildId).name).toBe('Rock Mountain');
  expect(discord.gateway()).toMatchObject({ connections: [], identifies: 0 });
  expect(discord.commands()).toMatchObject([command]);
});

test('the fault board breaks one member alone, or everything including the gateway', async () => {
  const sandbox = await started();
  const call = discordCaller(sandbox);
  const { guildId, memberIds } = sandbox.discord.seeded;
  await sandbox.faults.set('discord', { kind: '500', operation: `user:${memberIds[0]}` });
  expect((await call('GET', `/guilds/${guildId}/members/${memberIds[0]}`)).status).toBe(500);
  expect((await call('GET', `/guilds/${guildId}/members/${memberIds[1]}`)).status).toBe(200);
  await sandbox.faults.set('discord', { kind: '429', retryAfterSeconds: 7, operation: 'GET /users/@me' });
  expect((await call('GET', '/users/@me')).body).toMatchObject({ retry_after: 7 });
  const caller = await identified(sandbox, 1);
  await sandbox.faults.set('discord', { kind: 'refused' });
  expect(await caller.closed).toBe(1006);
  await sandbox.faults.clear('discord');
  const again = callGateway(sandbox);
  await again.next(({ op }) => op === 10);
  again.break();
});
