import { setTimeout as delay } from 'node:timers/promises';

import type { Pool } from 'pg';

import type { Sandbox } from '../sandbox/start-sandbox.ts';
import { walletOf } from '../tests/support/role-world.ts';

/** A Discord server of the sandbox whose role is for holders of the product's own collection. */
export interface RoleServer {
  readonly guildId: string;
  readonly roleId: string;
  readonly members: readonly RoleMember[];
}

export interface RoleMember {
  readonly userId: string;
  readonly wallet: string;
  /** The rock in the wallet at the beginning; null: none. */
  readonly rockId: string | null;
}

/** Adds servers whose members have verified: every other one holds a rock, and none has been checked yet. */
export const connectServers = async (
  sandbox: Sandbox,
  pool: Pool,
  count: number,
  membersEach: number,
): Promise<readonly RoleServer[]> => {
  const { discord, world, facts } = sandbox;
  const servers = Array.from({ length: count }, (_none, number): RoleServer => {
    const guild = discord.addGuild({ name: `Server ${number}`, roles: [{ name: 'Rock Holder' }] });
    const role = [...guild.roles.values()].find(({ name }) => name === 'Rock Holder');
    const userIds = discord.addMembers({ guildId: guild.id, count: membersEach });
    const members = userIds.map((userId, index): RoleMember => {
      const wallet = walletOf(number * membersEach + index);
      return { userId, wallet, rockId: index % 2 === 0 ? world.mint({ address: wallet }).id : null };
    });
    return { guildId: guild.id, roleId: role?.id ?? '', members };
  });
  const members = servers.flatMap(({ guildId, members: own }) => own.map((member) => ({ guildId, ...member })));
  await pool.query(insertServers, [JSON.stringify(servers), facts.collectionType]);
  await pool.query(insertMembers, [JSON.stringify(members)]);
  await pool.query("update discord_service set wanted = 'active'");
  return servers;
};

const insertServers = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as given("guildId" text, "roleId" text)
  ), guilds as (
    insert into discord_guilds (guild_id, name, roles, bot_permissions, bot_top_position)
    select "guildId", 'Server', jsonb_build_array(jsonb_build_object('id', "roleId", 'name', 'Rock Holder', 'position', 1,
      'isManaged', false)), '268435456', 5 from given
    returning guild_id
  )
  insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, updated_by, sweep_due_at)
  select guild_id, "roleId", $2, 'Sui Rocks', 'chief', clock_timestamp()
  from guilds join given on guild_id = "guildId"`;

const insertMembers = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as given("guildId" text, "userId" text, wallet text)
  ), members as (
    insert into discord_members (guild_id, user_id, display_name, has_role, check_due_at, check_cause)
    select "guildId", "userId", 'member', false, clock_timestamp(), 'verified' from given
    returning guild_id, user_id
  )
  insert into discord_wallets (guild_id, wallet, user_id, scheme)
  select guild_id, wallet, user_id, 'ed25519' from members join given on guild_id = "guildId" and user_id = "userId"`;

const passEveryMs = 500;

/**
 * Shortens the ten minutes between the two checks before a removal (rulings R5) to half a second; the checks that follow a trade,
 * which would be over by then, are skipped. Also moves removals out of the last hour, in which more than ten would be a mass
 * removal. Returns how to stop it.
 */
export const hastenRemovals = (pool: Pool): (() => Promise<void>) => {
  const stopped = new AbortController();
  const pass = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await pool.query(bringSecondChecksForward);
      await pool.query(forgetRemovals);
      await delay(passEveryMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const passing = pass();
  return () => {
    stopped.abort();
    return passing;
  };
};

const bringSecondChecksForward = `
  update discord_members
  set first_no_at = first_no_at - interval '10 minutes', check_due_at = clock_timestamp(), check_cause = 'second-look'
  where role_state = 'doubt' and first_no_at > clock_timestamp() - interval '9 minutes'`;

const forgetRemovals = `
  update discord_members set role_taken_at = role_taken_at - interval '1 hour'
  where role_taken_at > clock_timestamp() - interval '50 minutes'`;
