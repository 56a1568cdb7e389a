import { afterEach, beforeEach, expect, test } from 'vitest';

import { type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

let world: DiscordWorld;
beforeEach(async () => void (world = await startDiscordWorld()));
afterEach(() => world.end());

test("another bot's token leaves servers and role changes alone, until an admin confirms the change", async () => {
  const { discord } = world.sandbox;
  const { guildId, memberIds, roles } = discord.seeded;
  const first = await world.activeCopy();
  await knownGuild(world, guildId);
  await first.stop();
  discord.kickBot({ guildId });
  await world.rows("update discord_service set bot_id = '42', bot_username = 'old-bot'");
  await world.rows(
    "insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at) values ($1, $2, $3, 'remove-role', 'data-deleted', clock_timestamp())",
    [guildId, memberIds[0], roles.holder],
  );
  discord.resetCounters();
  const copy = await world.copy();
  const status = async () => (await copy.call('GET', '/api/discord/status')).body.data as Record<string, unknown>;
  await until('the bot fails to start', async () => (await status())['state'] === 'failing');
  expect((await status())['lastError']).toMatchObject({
    message: expect.stringMatching(
      /not the token of old-bot.*Put back that bot's token.*'Stop trying', then 'Start'.*use \/setup there again/,
    ),
  });
  const leftServers = () => world.rows('select guild_id from discord_guilds where left_at is not null');
  const waiting = async () =>
    (
      await world.rows(
        'select due_at, failure, roles_pause_reason from discord_member_roles join discord_guilds using (guild_id)',
      )
    )[0];
  await until('the removal was tried', async () => (await waiting())?.['roles_pause_reason'] !== null);
  expect(await waiting()).toMatchObject({
    due_at: expect.any(Date),
    failure: null,
    roles_pause_reason: expect.stringContaining('a different bot from the one running'),
  });
  expect(await leftServers()).toEqual([]);
  expect(discord.calls()).toEqual([]);
  await copy.call('POST', '/api/discord/shutdown');
  expect((await copy.call('POST', '/api/discord/init')).status).toBe(200);
  await until('the server was left', async () => (await leftServers()).length > 0);
});

test.each([
  ['token', 4004, 'refused the bot token'],
  ['intent', 4014, "switch on 'Server Members Intent'"],
])(
  'if the %s is taken away while the bot runs, the fix is named, and Shutdown and Start try again at once',
  async (_, code, fix) => {
    const { discord } = world.sandbox;
    const copy = await world.activeCopy();
    const status = async () => (await copy.call('GET', '/api/discord/status')).body.data as Record<string, unknown>;
    discord.dropConnections({ isResumable: false, code });
    await until('it is reported', async () => (await status())['state'] === 'failing');
    expect((await status())['lastError']).toMatchObject({ message: expect.stringContaining(fix) });
    await copy.call('POST', '/api/discord/shutdown');
    expect((await copy.call('POST', '/api/discord/init')).status).toBe(200);
  },
);
