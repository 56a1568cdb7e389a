import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { type DiscordWorld, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

/** Rulings R7: as many gateway shards as Discord recommends, all in one process; Discord refuses more than 2,500 servers per shard. */
let world: DiscordWorld;
beforeEach(async () => void (world = await startDiscordWorld()));
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const statusOf = async (copy: DiscordCopy): Promise<Record<string, unknown>> =>
  (await copy.call('GET', '/api/discord/status')).body.data;
const isState = (copy: DiscordCopy, state: string, deadlineMs?: number) =>
  until(`the bot is ${state}`, async () => (await statusOf(copy))['state'] === state, deadlineMs);

/** Adds that many servers with one role each. Returns their ids. */
function addServers(count: number): string[] {
  const { ownerId } = discord().seeded;
  return Array.from(
    { length: count },
    (_, index) => discord().addGuild({ name: `Server ${index}`, ownerId, roles: [{ name: 'Holder' }] }).id,
  );
}
const shardOf = (guildId: string): number => Number((BigInt(guildId) >> 22n) % 3n);
const present = async (): Promise<number> =>
  Number((await world.rows('select count(*) from discord_guilds where left_at is null'))[0]?.['count']);
const isKnown = async (guildId: string) =>
  (await world.rows('select 1 from discord_members where guild_id = $1 and has_role', [guildId])).length === 1;

/** Adds a member to that server who has linked a wallet and has the role; the database does not know of the role yet. */
async function linkMember(guildId: string): Promise<void> {
  const role = [...discord().guild(guildId).roles.values()].find(({ name }) => name === 'Holder');
  const [userId] = discord().addMembers({ guildId, count: 1, roles: ['Holder'] });
  await world.rows("insert into discord_guilds (guild_id, name, roles, channels) values ($1, 'Known', '[]', '[]')", [
    guildId,
  ]);
  await world.rows(
    `insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, updated_by) values ($1, $2, '0x2::a::B', 'B', 'test')`,
    [guildId, role?.id],
  );
  await world.rows('insert into discord_members (guild_id, user_id, display_name) values ($1, $2, $2)', [
    guildId,
    userId,
  ]);
}

describe('A bot in more servers than one connection may serve', () => {
  it('2,700 servers are served by three shards, and members are requested on the shard of their server', async () => {
    const servers = addServers(2_700);
    discord().setSharding({ shards: 3, maxConcurrency: 3 });
    const sample = [0, 1, 2].map((shard) => servers.find((guildId) => shardOf(guildId) === shard) ?? '');
    for (const guildId of sample) await linkMember(guildId);
    // Reading so many servers at once takes longer than the usual time limits of these tests.
    const copy = await world.copy({
      pace: { settleMs: 100, readyWithinMs: 60_000 },
    });
    await copy.call('POST', '/api/discord/init');
    await isState(copy, 'active', 120_000);
    expect(
      discord()
        .gateway()
        .connections.map(({ shard }) => shard),
    ).toEqual(
      expect.arrayContaining([
        [0, 3],
        [1, 3],
        [2, 3],
      ]),
    );
    expect(discord().gateway()).toMatchObject({ identifies: 3, closes: {} });
    await until('every server is stored', async () => (await present()) === 2_702, 240_000);
    for (const guildId of sample) await until('its member is known', () => isKnown(guildId), 30_000);

    // Servers that one shard does not list are not left: the others list them.
    await copy.call('POST', '/api/discord/shutdown');
    await isState(copy, 'inactive', 30_000);
    discord().kickBot({ guildId: sample[1] ?? '' });
    await copy.call('POST', '/api/discord/init');
    await isState(copy, 'active', 120_000);
    await until('one server is left', async () => (await present()) === 2_701, 60_000);
    await until('all shards are ready again', () => (discord().gateway().events['READY'] ?? 0) === 6);
    expect(await present()).toBe(2_701);
  }, 600_000);

  it('its shards identify one after the other, as Discord requires, and none of them is refused', async () => {
    discord().setSharding({ shards: 3, maxConcurrency: 1, identifyEveryMs: 5_000 });
    const copy = await world.activeCopy({ pace: { settleMs: 60_000, readyWithinMs: 12_000 } });
    expect(await statusOf(copy)).toMatchObject({ online: true, lastError: null });
    expect(discord().gateway()).toMatchObject({ identifies: 3, invalidSessions: 0 });
  }, 90_000);
});

describe("Close code 4011, 'sharding required'", () => {
  const init = (copy: DiscordCopy) => copy.call('POST', '/api/discord/init');

  it('is reported with its fix, retried a few times and then not again until someone starts the bot', async () => {
    addServers(2_600);
    discord().setSharding({ shards: 1 });
    const copy = await world.copy({ pace: { settleMs: 30_000 } });
    expect(await init(copy)).toMatchObject({
      status: 503,
      body: { code: 'bot-failing', message: expect.stringMatching(/sharding required.*DISCORD_API_URL/) },
    });
    const lastError = async () => JSON.stringify((await statusOf(copy))['lastError']);
    await until(
      'it is given up',
      async () => (await lastError()).includes("Fix this, press 'Stop trying', and start the bot again"),
      30_000,
    );
    const { closes } = discord().gateway();
    const endsAtMs = performance.now() + 2_000;
    await until('four more tries would have been made', () => performance.now() > endsAtMs);
    expect(discord().gateway().closes).toEqual(closes);
    discord().setSharding({ shards: null });
    await copy.call('POST', '/api/discord/shutdown');
    expect((await init(copy)).status).toBe(200);
    expect(discord().gateway().connections).toHaveLength(3);
  }, 90_000);

  it('is resolved automatically when Discord recommends enough shards', async () => {
    addServers(2_600);
    discord().setSharding({ shards: 1 });
    const copy = await world.copy({ pace: { settleMs: 30_000 } });
    expect((await init(copy)).status).toBe(503);
    discord().setSharding({ shards: null });
    await isState(copy, 'active', 30_000);
  }, 60_000);
});
