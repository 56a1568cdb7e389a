import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../sandbox/start-sandbox.ts';
import { createRolePlatform, createRestClient } from '../src/discord/gateway/rest-calls.ts';
import { typedKysely } from '../src/db/connect.ts';
import { someCollection, someEvent } from '../tests/support/activity-events.ts';
import { type RoleWorld, walletOf } from '../tests/support/role-world.ts';
import { until } from '../tests/support/until.ts';
import { addMembers, startBenchRoles } from './role-bench.ts';
import { atMost, median, quantile, type Row } from './row.ts';

/** `npm run bench sale-to-role`: sales of one collection to buyers in many servers, at a Discord that enforces its limits. */
const guildCount = 30;
const salesPerGuild = 5;
const everyMs = 100;
const upstreamMs = 100;
const grantWithinMs = 60_000;

/** Issue figure: sale event stored → the buyer's role granted, p99 at most 3 s. */
export const benchSaleToRole = async (): Promise<Row[]> => {
  const sandbox = await startSandbox();
  const world = await startBenchRoles();
  try {
    const { discord } = sandbox;
    const buyers: { guildId: string; userId: string; wallet: string; isHolder: false }[] = [];
    for (let number = 0; number < guildCount; number += 1) {
      const guild = discord.addGuild({ name: `Server ${number}`, roles: [{ name: 'Rock Holder' }] });
      const role = [...guild.roles.values()].find(({ name }) => name === 'Rock Holder');
      await world.server({ guildId: guild.id, roleId: role?.id ?? '' });
      for (const userId of discord.addMembers({ guildId: guild.id, count: salesPerGuild })) {
        buyers.push({ guildId: guild.id, userId, wallet: walletOf(buyers.length), isHolder: false });
      }
    }
    await addMembers(world, buyers);
    const collectionId = await trackedBy(world);
    const { ownership } = world.holdings;
    const discordApi = { token: discord.token, apiUrl: `${sandbox.urls.discord}/api` };
    const roles = world.copy({
      platform: createRolePlatform(createRestClient(discordApi), async () => {}),
      ownership: {
        ...ownership,
        readWallet: async (nftType, wallet, stop) => {
          await delay(upstreamMs);
          return ownership.readWallet(nftType, wallet, stop);
        },
      },
    });
    roles.start();
    sandbox.faults.setLatency('discord', upstreamMs);
    const storedAtMs = new Map<string, number>();
    // Sales go through all servers in turn, so that Discord's limit per server is not what is measured.
    const order = buyers.map(
      (_none, index) => buyers[((index * salesPerGuild) % buyers.length) + Math.floor(index / guildCount)],
    );
    for (const buyer of order) {
      if (buyer === undefined) continue;
      world.holdings.set(buyer.wallet, 1);
      await typedKysely(world.database.pool)
        .transaction()
        .execute((trx) =>
          roles.listener.recordBatch(
            {
              collection: someCollection({ id: collectionId }),
              floorBeforeMist: null,
              events: [someEvent(1, { trackedCollectionId: collectionId, buyer: buyer.wallet, seller: null })],
              transfers: [],
              earlierListings: [],
              earlierMintCount: 0,
              gapMs: 30_000,
              hasMore: false,
            },
            trx,
          ),
        );
      storedAtMs.set(buyer.userId, Date.now());
      await delay(everyMs);
    }
    await until('all have the role', () => discord.roleChanges().length >= buyers.length, grantWithinMs);
    const tookSeconds = discord.roleChanges().map(({ userId, atMs }) => (atMs - (storedAtMs.get(userId) ?? 0)) / 1_000);
    const note = `${buyers.length} sales, median ${Math.round(median(tookSeconds) * 1_000)} ms`;
    return [
      atMost('sale stored → role at Discord, p99, 100 ms upstream', quantile(tookSeconds, 0.99), 3, ' s', note),
      atMost('the same: roles given more than once', discord.roleChanges().length - buyers.length, 0),
    ];
  } finally {
    await world.end();
    await sandbox.stop();
  }
};

const trackedBy = async (world: RoleWorld): Promise<bigint> => {
  const [row] = await world.rows(
    "insert into tracked_collections (market_id, slug, name, is_verified) values ('m', 's', 'Rocks', true) returning id",
  );
  await world.rows('update discord_guild_configs set tracked_collection_id = $1', [row?.['id']]);
  return BigInt(String(row?.['id']));
};
