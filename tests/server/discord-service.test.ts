import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Child, startChild } from '../support/child.ts';
import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

const copyScript = fileURLToPath(new URL('../support/discord-copy-process.ts', import.meta.url));

let world: DiscordWorld;
beforeEach(async () => void (world = await startDiscordWorld()));
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const statusOf = async (copy: DiscordCopy): Promise<Record<string, unknown>> =>
  (await copy.call('GET', '/api/discord/status')).body.data;
const isState = (copy: DiscordCopy, state: string, deadlineMs?: number) =>
  until(`the bot is ${state}`, async () => (await statusOf(copy))['state'] === state, deadlineMs);
const startFails = async (copy: DiscordCopy, why: string): Promise<void> => {
  const { status, body } = await copy.call('POST', '/api/discord/init');
  expect([status, body.code, body.message]).toEqual([503, 'bot-failing', expect.stringContaining(why)]);
};
const askHelp = () => {
  const { channels, ownerId } = discord().seeded;
  return discord().command({ userId: ownerId, channelId: channels.welcome, name: 'help' });
};
const commandsAreThere = () => until('the commands are registered', () => discord().commands().length === 6);
const answersHelp = async () => expect(await answerTo(askHelp())).toContain('/verify');

/** A copy in a process of its own, running the bot at production pace. */
const startDoomed = async (): Promise<Child> => {
  const { urls, facts } = world.sandbox;
  const options = { databaseUrl: world.database.url, urls, facts, name: 'doomed' };
  const doomed = startChild(copyScript, [JSON.stringify(options)], {});
  const started = await fetch(`http://127.0.0.1:${await doomed.firstLine()}/api/discord/init`, { method: 'POST' });
  expect(started.status).toBe(200);
  return doomed;
};

describe('Start and Shutdown', () => {
  test('at first the bot is off; Start waits until it is online, Shutdown until it is not', async () => {
    const copy = await world.copy();
    expect(await statusOf(copy)).toMatchObject({ online: false, state: 'inactive', wanted: 'inactive', guildCount: 0 });
    const started = await copy.call('POST', '/api/discord/init');
    const { discordBotUsername: username, discordBotId: id } = world.sandbox.facts;
    expect(started).toMatchObject({
      status: 200,
      body: { data: { online: true, state: 'active', wanted: 'active', username, id, lastError: null } },
    });
    await commandsAreThere();
    await answersHelp();
    const stopped = await copy.call('POST', '/api/discord/shutdown');
    expect(stopped).toMatchObject({ status: 200, body: { data: { online: false, state: 'inactive' } } });
    await until('nobody is connected', () => discord().gateway().connections.length === 0);
    expect((await world.audited()).map(({ action, actor }) => [action, actor])).toEqual([
      ['discord-bot-initialized', 'chief'],
      ['discord-bot-shut-down', 'chief'],
    ]);
  });

  test('both work from a copy that does not run the bot, and repeating them changes nothing', async () => {
    const first = await world.activeCopy();
    const second = await world.copy();
    await isState(second, 'active');
    expect((await second.call('POST', '/api/discord/shutdown')).status).toBe(200);
    expect(await statusOf(first)).toMatchObject({ state: 'inactive' });
    expect((await first.call('POST', '/api/discord/init')).status).toBe(200);
    expect((await second.call('POST', '/api/discord/init')).status).toBe(200);
    expect(await world.audited()).toHaveLength(3);
  });

  test('the bot stops within two seconds, and a restart restores its state', async () => {
    const first = await world.activeCopy();
    const beganAtMs = performance.now();
    await first.stop();
    expect(performance.now() - beganAtMs).toBeLessThan(2_000);
    const second = await world.copy();
    await isState(second, 'active');
    await commandsAreThere();
    await answersHelp();
  });

  test('without a token everything but the bot works, and Start says what to do', async () => {
    const copy = await world.copy({ DISCORD_BOT_TOKEN: null });
    expect(await statusOf(copy)).toMatchObject({ online: false, state: 'not-configured', username: null, id: null });
    const refused = await copy.call('POST', '/api/discord/init');
    expect(refused).toMatchObject({ status: 409, body: { code: 'bot-not-configured' } });
    expect(refused.body.message).toContain('DISCORD_BOT_TOKEN');
    expect(await copy.call('GET', '/api/discord/invite-url')).toMatchObject({
      status: 409,
      body: { code: 'bot-not-configured' },
    });
    expect(copy.discord.listener).toBeNull();
  });
});

describe('one copy holds the gateway', () => {
  test('exactly one of three is connected; when it stops properly another takes over at once', async () => {
    const copies = [await world.activeCopy(), await world.copy(), await world.copy()];
    expect(discord().gateway().connections).toHaveLength(1);
    await copies[0]!.stop();
    await commandsAreThere();
    await until('another one is connected', () => discord().gateway().connections.length === 1);
    await isState(copies[1]!, 'active');
    await answersHelp();
  });

  test('after a kill -9 no copy says online until another one is, which takes over within 3 seconds', async () => {
    const doomed = await startDoomed();
    const heir = await world.copy();
    await isState(heir, 'active');
    await commandsAreThere();
    const sessions = () =>
      discord()
        .gateway()
        .connections.map(({ sessionId }) => sessionId);
    const [ofDoomed] = sessions();
    await doomed.end('SIGKILL');
    const killedAtMs = performance.now();
    // The gateway notices a moment later that the killed one is gone.
    const isTakenOver = () => sessions().some((sessionId) => sessionId !== null && sessionId !== ofDoomed);
    await until('the heir is connected', isTakenOver, 5_000);
    await until('it says so', async () => (await statusOf(heir))['online'] === true, 5_000);
    expect(performance.now() - killedAtMs).toBeLessThan(3_000);
    await answersHelp();
  });
});

describe('when Discord drops, refuses or is away', () => {
  test('a dropped connection is resumed silently, and events from meanwhile arrive', async () => {
    const copy = await world.activeCopy();
    const { guildId } = discord().seeded;
    await knownGuild(world, guildId);
    discord().dropConnections();
    discord().updateGuild({ guildId, name: 'Rock Mountain, renamed' });
    await until(
      'the new name is known',
      async () => (await knownGuild(world, guildId))['name'] === 'Rock Mountain, renamed',
    );
    expect(await statusOf(copy)).toMatchObject({ state: 'active', lastError: null });
  });

  test('after a lost session the bot catches up with what has changed', async () => {
    await world.activeCopy();
    const { guildId, low } = discord().seeded;
    await knownGuild(world, low.guildId);
    discord().dropConnections({ isResumable: false });
    discord().updateGuild({ guildId, name: 'Another name' });
    discord().kickBot({ guildId: low.guildId });
    await until('the new name is known', async () => (await knownGuild(world, guildId))['name'] === 'Another name');
    await until('the other server is left', async () => {
      const [row] = await world.rows('select left_at from discord_guilds where guild_id = $1', [low.guildId]);
      return row?.['left_at'] !== null;
    });
  });

  test('a gateway that stays away makes the bot failing until it is back', async () => {
    const copy = await world.activeCopy();
    discord().setGateway({ isUp: false });
    await isState(copy, 'failing');
    expect(await statusOf(copy)).toMatchObject({ online: false, wanted: 'active' });
    expect(JSON.stringify((await statusOf(copy))['lastError'])).toContain('could not be reached');
    discord().setGateway({ isUp: true });
    await isState(copy, 'active');
    await commandsAreThere();
    await answersHelp();
  });

  test('while the gateway is away the bot stops within two seconds, and the old connection never comes back', async () => {
    const copy = await world.activeCopy();
    discord().setGateway({ isUp: false });
    await isState(copy, 'failing');
    const beganAtMs = performance.now();
    expect((await copy.call('POST', '/api/discord/shutdown')).status).toBe(200);
    expect(performance.now() - beganAtMs).toBeLessThan(2_000);
    discord().setHeartbeats({ intervalMs: 250 });
    discord().setGateway({ isUp: true });
    expect((await copy.call('POST', '/api/discord/init')).status).toBe(200);
    // Long enough for the old connection to have come back: it tries every half second.
    await until('the new one is well alive', () => (discord().gateway().connections.at(-1)?.heartbeats ?? 0) >= 8);
    expect(discord().gateway()).toMatchObject({ connections: [{ intents: 3 }], resumes: 0 });
  });

  test('a refused token is reported with what to do', async () => {
    const copy = await world.copy({ DISCORD_BOT_TOKEN: 'MTIzNDU2Nzg5MDEyMzQ1Njc4.wrong.token' });
    const answer = await copy.call('POST', '/api/discord/init');
    expect(answer).toMatchObject({ status: 503, body: { code: 'bot-failing' } });
    expect(answer.body.message).toMatch(/refused the bot token.*Reset Token.*DISCORD_BOT_TOKEN/);
    expect(JSON.stringify(await statusOf(copy)) + world.log()).not.toContain('wrong.token');
  });

  test('a disallowed intent is reported with the switch in the developer portal, and Shutdown and Start try again at once', async () => {
    discord().setPrivilegedIntents({ members: false });
    const copy = await world.copy();
    await startFails(copy, "Privileged Gateway Intents, switch on 'Server Members Intent'");
    discord().setPrivilegedIntents({ members: true });
    await copy.call('POST', '/api/discord/shutdown');
    expect((await copy.call('POST', '/api/discord/init')).status).toBe(200);
  });

  test.each(['discord', 'discordGateway'])(
    'an outage of %s is reported, and the bot recovers automatically',
    async (service) => {
      await world.sandbox.faults.set(service, { kind: '503' });
      const copy = await world.copy();
      await startFails(copy, 'Discord reports an internal error');
      await world.sandbox.faults.clear(service);
      await isState(copy, 'active');
    },
  );

  test.each([
    ['discord', 'wrong-types'],
    ['discord', 'malformed'],
    ['discordGateway', 'wrong-types'],
  ] as const)('an unreadable answer of %s (%s) does not end the product', async (service, kind) => {
    await world.sandbox.faults.set(service, { kind });
    const copy = await world.copy();
    await startFails(copy, 'Discord’s answer could not be read');
    await world.sandbox.faults.clear(service);
    await isState(copy, 'active');
  });

  test('a rate limit too long to wait for is reported, and not obeyed for ever', async () => {
    await world.sandbox.faults.set('discord', { kind: '429', retryAfterSeconds: 1e9 });
    await startFails(await world.copy(), 'Discord asks the bot to slow down');
  });
});
