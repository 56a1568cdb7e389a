import { guildId, rockType, type RoleCopy, type RoleWorld, userOf, walletOf } from './role-world.ts';
import { until } from './until.ts';

/** Steps shared by tests with many members. */
export const roleStories = (world: () => RoleWorld) => ({
  /** Inserts members with one wallet each, who hold a piece and have the role. */
  settle: async (count: number, guild = guildId, from = 0): Promise<void> => {
    const numbers = Array.from({ length: count }, (_none, index) => from + index);
    await world().rows(
      `insert into discord_members (guild_id, user_id, display_name, has_role, role_state, answer, answered_at, explanation)
       select $1, id, 'member ' || id, true, 'holder', 'holds', clock_timestamp(),
         jsonb_build_object('nftType', $3::text, 'unknownSince', null, 'wallets', '[]'::jsonb) from unnest($2::text[]) id`,
      [guild, numbers.map(userOf), rockType],
    );
    await world().rows(
      `insert into discord_wallets (guild_id, wallet, user_id, scheme)
       select $1, w.wallet, w.id, 'ed25519' from unnest($2::text[], $3::text[]) w(wallet, id)`,
      [guild, numbers.map(walletOf), numbers.map(userOf)],
    );
    for (const number of numbers) world().holdings.set(walletOf(number), 1);
  },
  sweepNow: () => world().rows('update discord_guild_configs set sweep_due_at = clock_timestamp()'),
  lastSweep: async (guild = guildId): Promise<Record<string, unknown> | null> =>
    ((await world().rows('select last_sweep from discord_guild_configs where guild_id = $1', [guild]))[0]?.[
      'last_sweep'
    ] ?? null) as Record<string, unknown> | null,
  /** The number of members by role state. */
  roleStates: async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await world().rows(
          'select role_state as "roleState", count(*)::int as count from discord_members group by role_state',
        )
      ).map((row) => [String(row['roleState']), Number(row['count'])]),
    ),
});

/** Steps shared by tests with single members, who verify through `roles` and get the role from the engine. */
export const memberStories = (world: () => RoleWorld, roles: () => RoleCopy) => {
  const holding = async (...members: readonly number[]): Promise<void> => {
    for (const number of members) {
      world().holdings.set(walletOf(number), 1);
      await world().link(roles(), userOf(number), [walletOf(number)]);
    }
  };
  return {
    /** Links a wallet with one piece for each member; the engine has not checked it yet. */
    holding,
    /** The same, then starts the engine and waits until they have the role. */
    hold: async (...members: readonly number[]): Promise<void> => {
      await holding(...members);
      roles().start();
      await until('they have the role', () => members.every((number) => world().roleHolders.has(userOf(number))));
      await world().quiet();
      world().done.length = 0;
    },
    /** A member's stored roles: one row for each role that the bot gave or has to change. */
    rolesOf: (userId: string) =>
      world().rows(
        'select wanted, cause, failure, due_at is not null as is_waiting, given_at is not null as is_given from discord_member_roles where user_id = $1 order by id',
        [userId],
      ),
  };
};
