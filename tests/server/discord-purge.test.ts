import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/db/schema.ts';
import { auditTrail } from '../../src/audit/audit-log.ts';
import { guildPurge } from '../../src/discord/servers/guild-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { purgesOf, rowsAtOnceMax as rowsMax } from '../../src/retention/purge.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, type RoleWorld, startRoleWorld } from '../support/role-world.ts';

/** Purged rows are deleted in bounded steps, and are found without reading the rest. */
let world: RoleWorld;
const { settle } = roleStories(() => world);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  await world.server();
});
afterEach(() => world.end());

const db = () => typedKysely(world.database.pool);
const purgeIn = (on: Kysely<Database>, table: string) => {
  const ports = { watching: { unwatch: async () => {} }, audit: auditTrail };
  return purgesOf(on, [guildPurge(on, ports)])
    .find((purge) => purge.table === table)
    ?.step();
};
const stepOf = async (table: string) => (await purgeIn(db(), table))?.hasMore;
/** The query plan of the deletion that a step makes. */
const planOf = async (table: string): Promise<string> => {
  const asked: CompiledQuery[] = [];
  const dialect = new PostgresDialect({ pool: world.database.pool });
  await purgeIn(new Kysely({ dialect, log: ({ query }) => void asked.push(query) }), table);
  const query = asked.find(({ sql }) => sql.includes(`delete from "${table}"`));
  const lines = await world.rows(`explain ${query?.sql}`, query?.parameters);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
};
const count = async (table: string): Promise<number> =>
  Number((await world.rows(`select count(*)::int as count from ${table}`))[0]?.['count']);
const messages = (many: number, daysAgo: number) =>
  world.rows(
    `insert into discord_direct_messages (guild_id, user_id, payout, told_at)
     select $1, n::text, $3, clock_timestamp() - make_interval(days => $3) from generate_series(1, $2::int) n`,
    [guildId, many, daysAgo],
  );

describe('Old direct messages', () => {
  it('are deleted after 90 days, at most 5,000 in one step, and none of them sooner', async () => {
    await messages(rowsMax + 10, 91);
    await messages(3, 89);
    expect(await stepOf('discord_direct_messages')).toBe(true);
    expect(await count('discord_direct_messages')).toBe(13);
    expect(await stepOf('discord_direct_messages')).toBe(false);
    expect(await count('discord_direct_messages')).toBe(3);
  });

  it('are found through their index, even among many others', async () => {
    await messages(20_000, 1);
    await messages(5, 91);
    await world.rows('analyze discord_direct_messages');
    const plan = await planOf('discord_direct_messages');
    expect(plan).toMatch(/using discord_direct_messages_told .*\n\s+Index Cond: \(told_at </);
    expect(plan).not.toContain('Seq Scan on discord_direct_messages');
  });

  it('are skipped while someone else has them locked', async () => {
    await messages(2, 91);
    const client = await world.database.pool.connect();
    await client.query("begin; select 1 from discord_direct_messages where user_id = '1' for update");
    expect(await stepOf('discord_direct_messages')).toBe(false);
    expect(await count('discord_direct_messages')).toBe(1);
    await client.query('rollback');
    client.release();
  });
});

it('Removals that were pending for 90 days after a deletion are found through their index', async () => {
  await world.rows(
    `insert into discord_member_roles (guild_id, user_id, role_id, given_at, wanted, cause, changed_at)
     select $1, n::text, '1', clock_timestamp(), case when n < 3 then 'remove-role' end,
       case when n < 3 then 'data-deleted' else 'sweep' end, clock_timestamp() - interval '91 days' from generate_series(1, 20000) n`,
    [guildId],
  );
  await world.rows('analyze discord_member_roles');
  expect(await planOf('discord_member_roles')).toContain('using discord_member_roles_owed ');
  expect(await count('discord_member_roles')).toBe(19_998);
});

describe('A server that the bot left 30 days ago', () => {
  it('is deleted in steps of at most 5,000 rows, the server itself and its log entry in the last one', async () => {
    await settle(10);
    await messages(rowsMax + 7, 1);
    await world.rows("update discord_guilds set left_at = clock_timestamp() - interval '31 days'");
    expect(await stepOf('discord_guilds')).toBe(true);
    expect(await Promise.all(['discord_direct_messages', 'discord_members', 'discord_guilds'].map(count))).toEqual([
      7, 10, 1,
    ]);
    expect(await world.audited()).toEqual([]);
    expect(await stepOf('discord_guilds')).toBe(true);
    expect(await Promise.all(['discord_members', 'discord_wallets', 'discord_guilds'].map(count))).toEqual([0, 0, 0]);
    expect(await world.audited()).toEqual(['discord-server-purged']);
    expect(await stepOf('discord_guilds')).toBe(false);
  });
});
