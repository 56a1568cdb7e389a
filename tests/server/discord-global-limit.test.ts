import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createRolePlatform, createRestClient } from '../../src/discord/gateway/rest-calls.ts';
import { testDatabase } from '../support/database.ts';
import { rockType, type RoleWorld, startRoleWorld, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Rulings R5, 'obeying Discord's rate limits': the limit of all calls together (documentation, 'Global Rate Limit'). */
let sandbox: Sandbox;
let world: RoleWorld;
beforeEach(async () => {
  sandbox = await startSandbox();
  world = await startRoleWorld(await testDatabase());
});
afterEach(async () => {
  await world.end();
  await sandbox.stop();
});

const serverCount = 4;
/** Below Discord's limit per server, so that only the global limit is met. */
const perServer = 8;
/** Calls running in one copy when the limit is met. */
const underWayMax = 8;

/** Verified holders in several servers, who have no role yet. */
async function addHolders(): Promise<readonly string[]> {
  const { discord } = sandbox;
  const everybody: string[] = [];
  for (let number = 0; number < serverCount; number += 1) {
    const { id, roles } = discord.addGuild({ name: `Server ${number}`, roles: [{ name: 'Rock Holder' }] });
    await world.server({
      guildId: id,
      roleId: [...roles.values()].find(({ name }) => name === 'Rock Holder')?.id ?? '',
    });
    for (const userId of discord.addMembers({ guildId: id, count: perServer })) {
      const wallet = walletOf(everybody.push(userId));
      world.holdings.set(wallet, 1, rockType);
      await world.rows("insert into discord_members (guild_id, user_id, display_name) values ($1, $2, 'holder')", [
        id,
        userId,
      ]);
      await world.rows(
        "insert into discord_wallets (guild_id, wallet, user_id, scheme) values ($1, $2, $3, 'ed25519')",
        [id, wallet, userId],
      );
    }
  }
  return everybody;
}

/** Members whose role ends in an hour: they must be notified. */
async function addLeaving(count: number): Promise<readonly string[]> {
  const guildId = sandbox.discord.guilds().find(({ name }) => name === 'Server 0')?.id ?? '';
  const userIds = sandbox.discord.addMembers({ guildId, count });
  await world.rows(
    `insert into discord_members (guild_id, user_id, display_name, has_role, role_state, second_no_at, removal_due_at)
     select $1, id, 'seller', true, 'grace', clock_timestamp(), clock_timestamp() + interval '1 hour' from unnest($2::text[]) id`,
    [guildId, userIds],
  );
  return userIds;
}

const writeTo = (userIds: readonly string[]) =>
  world.rows(
    `insert into discord_direct_messages (guild_id, user_id, content, due_at)
     select guild_id, user_id, 'Your role ends', clock_timestamp() from discord_members where user_id = any($1)`,
    [userIds],
  );

describe("Discord's global limit in the middle of a sweep's grants", () => {
  it.each([1_500, 4_500])(
    'makes all work wait for the %i ms that it names; nothing is lost or repeated',
    async (shutMs) => {
      const { discord } = sandbox;
      const everybody = await addHolders();
      const leaving = await addLeaving(3);
      sandbox.faults.setLatency('discord', 40);
      const platform = createRolePlatform(
        createRestClient({ token: discord.token, apiUrl: `${sandbox.urls.discord}/api` }),
        async () => {},
      );
      const roles = world.copy({ platform });
      await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
      roles.start();
      await until('some have the role', () => discord.roleChanges().length >= perServer);

      const shutAtMs = Date.now();
      discord.limitGlobally({ milliseconds: shutMs });
      const before = discord.roleChanges().length;
      await writeTo(leaving);
      await until('all have the role', () => discord.roleChanges().length >= everybody.length);
      await until('all have their message', () => leaving.every((userId) => discord.directMessages(userId).length > 0));
      await world.quiet();

      expect(before).toBeLessThan(everybody.length);
      const meanwhile = discord.calls().filter(({ atMs }) => atMs > shutAtMs && atMs < shutAtMs + shutMs - 50);
      expect(meanwhile.every(({ status }) => status === 429)).toBe(true);
      expect(meanwhile.length).toBeGreaterThan(0);
      expect(meanwhile.length).toBeLessThanOrEqual(underWayMax);
      expect(discord.counters().overLimit).toEqual({ global: meanwhile.length, bucket: 0 });

      const given = discord.roleChanges().map(({ userId }) => userId);
      expect(given.toSorted()).toEqual(everybody.toSorted());
      const puts = discord.calls().filter(({ method, status }) => method === 'PUT' && status === 204);
      expect(puts).toHaveLength(everybody.length);
      for (const userId of leaving) expect(discord.directMessages(userId)).toHaveLength(1);
      // Waiting as Discord asked is not a failure that an admin has to fix.
      await until('everything is stored', async () => {
        return (await world.rows('select 1 from discord_member_roles where wanted is not null')).length === 0;
      });
      expect(await world.rows('select distinct wanted, failure from discord_member_roles')).toEqual([
        { wanted: null, failure: null },
      ]);
    },
  );
});
