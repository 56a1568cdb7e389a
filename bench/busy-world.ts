import type { Pool } from 'pg';

import { createDatabase } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { type Product, startProduct } from '../tests/support/product.ts';
import { walletOf } from '../tests/support/role-world.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';
import { until } from '../tests/support/until.ts';
import { countUnsent, enqueueBurst, insertChats } from './telegram-burst.ts';

/** One process of the product with both bots on, groups to send to and servers to sweep. */
export interface BusyWorld {
  readonly product: Product;
  readonly pool: Pool;
  readonly chatIds: readonly string[];
  readonly serverCount: number;
  /** Queues messages, all at once, each for another group. */
  enqueue(messages: number): Promise<void>;
  unsentCount(): Promise<number>;
  /** Makes the sweep of every server due. */
  beginSweep(): Promise<void>;
  /** Servers not yet swept since `beginSweep`. */
  unsweptCount(): Promise<number>;
  stop(): Promise<void>;
}

interface BusyOptions {
  readonly env?: Record<string, string>;
  readonly sandboxArgs?: readonly string[];
  readonly groupCount: number;
  readonly serverCount: number;
  /** Members of each server, each verified with a wallet that holds a rock. */
  readonly memberCount: number;
}

interface Server {
  readonly guildId: string;
  readonly roleId: string;
  readonly channelId: string;
  readonly userIds: readonly string[];
}

const readyWithinMs = 120_000;

export const startBusyWorld = async (options: BusyOptions): Promise<BusyWorld> => {
  const { groupCount, serverCount, memberCount, env: more = {}, sandboxArgs = [] } = options;
  const dataDir = await temporaryDataDir('disk');
  const {
    database: db,
    pool,
    url,
    stop,
  } = await createDatabase({
    url: null,
    dataDir: dataDir.path,
    log: silentLog,
  });
  const stopOwn = async (): Promise<void> => {
    await stop();
    await dataDir.remove();
  };
  const env = {
    DATABASE_URL: url,
    SESSION_SECRET: 'not a secret: these are measurements',
    TREASURY_REFRESH_MS: '60000',
    ...more,
  };
  // Leaves enough of the 555 rocks to mint for the members.
  const args = ['--minted-rocks', '200', ...sandboxArgs];
  const product = await startProduct({ env, sandboxArgs: args }).catch(async (error: unknown) => {
    await stopOwn();
    throw error;
  });
  const count = async (statement: string): Promise<number> =>
    (await pool.query<{ count: number }>(statement)).rows[0]?.count ?? 0;
  const chatIds = (await order<number[]>(product, 'telegram/create-groups', { count: groupCount })).map(String);
  await pool.query(insertChats, [chatIds]);
  await addServers(product, pool, serverCount, memberCount);
  await pool.query("update telegram_service set wanted = 'active'");
  await pool.query("update discord_service set wanted = 'active'");
  await pool.query('analyze');
  await product.restart();
  const unsweptCount = () =>
    count('select count(*)::int as count from discord_guild_configs where last_sweep_at is null');
  await until('every server was swept once', async () => (await unsweptCount()) === 0, readyWithinMs);
  let given = 0;
  return {
    product,
    pool,
    chatIds,
    serverCount,
    enqueue: async (messages) => {
      const chats = Array.from(
        { length: Math.min(messages, groupCount) },
        (_none, index) => chatIds[(given + index) % groupCount] ?? '',
      );
      await enqueueBurst(db, chats, { from: given, perChat: 1 });
      given += messages;
    },
    unsentCount: () => count(countUnsent),
    beginSweep: async () => {
      await pool.query('update discord_guild_configs set sweep_due_at = clock_timestamp(), last_sweep_at = null');
    },
    unsweptCount,
    stop: async () => {
      await product.stop();
      await stopOwn();
    },
  };
};

const order = async <T>(product: Product, command: string, wanted: object): Promise<T> =>
  ((await product.control(`/control/${command}`, wanted)) as { data: T }).data;

/** Writes the rows directly: thousands of /setup and /verify are not what is measured. */
const addServers = async (product: Product, pool: Pool, serverCount: number, memberCount: number): Promise<void> => {
  const { collectionType } = product.sandbox.facts;
  for (let number = 0; number < memberCount; number += 1) {
    await order(product, 'mint', { address: walletOf(number) });
  }
  for (let number = 0; number < serverCount; number += 1) {
    const server = await addServer(product, `Server ${number}`, memberCount);
    const { guildId, roleId, channelId, userIds } = server;
    await pool.query('insert into discord_guilds (guild_id, name) values ($1, $2)', [guildId, `Server ${number}`]);
    await pool.query(
      `insert into discord_guild_configs (guild_id, role_id, channel_id, nft_contract, nft_name, updated_by)
       values ($1, $2, $3, $4, 'Sui Rocks', 'somebody')`,
      [guildId, roleId, channelId, collectionType],
    );
    const wallets = userIds.map((_userId, index) => walletOf(index));
    await pool.query(insertMembers, [guildId, userIds, wallets]);
  }
};

const addServer = async (product: Product, name: string, count: number): Promise<Server> => {
  const role = 'Rock Holder';
  const made = { name, roles: [{ name: role }], channels: [{ name: 'verify' }] };
  type Guild = { id: string; roles: Record<string, { name: string }>; channels: Record<string, unknown> };
  const { id: guildId, roles, channels } = await order<Guild>(product, 'discord/add-guild', made);
  const roleId = Object.keys(roles).find((id) => roles[id]?.name === role) ?? '';
  const userIds = await order<string[]>(product, 'discord/add-members', { guildId, count, roles: [role] });
  return { guildId, roleId, channelId: Object.keys(channels)[0] ?? '', userIds };
};

const insertMembers = `
  with given as (select * from unnest($2::text[], $3::text[]) as given(user_id, wallet)),
  members as (
    insert into discord_members (guild_id, user_id, display_name, has_role, role_state)
    select $1, user_id, 'member', true, 'holder' from given returning guild_id, user_id
  )
  insert into discord_wallets (guild_id, wallet, user_id, scheme)
  select guild_id, wallet, user_id, 'ed25519' from given join members using (user_id)`;
