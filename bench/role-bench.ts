import { rockType, type RoleWorld, startRoleWorld } from '../tests/support/role-world.ts';
import { startBenchDatabase } from './bench-database.ts';

/** The role engine on the product's embedded PostgreSQL. */
export const startBenchRoles = async (): Promise<RoleWorld> => startRoleWorld(await startBenchDatabase());

interface BenchMember {
  readonly guildId: string;
  readonly userId: string;
  readonly wallet: string;
  readonly isHolder: boolean;
}

/** Members with a wallet each; holders have the role already. */
export const addMembers = async (world: RoleWorld, members: readonly BenchMember[]): Promise<void> => {
  const json = JSON.stringify(members);
  const from =
    'from jsonb_to_recordset($1::jsonb) as m("guildId" text, "userId" text, wallet text, "isHolder" boolean)';
  await world.rows(
    `insert into discord_members (guild_id, user_id, display_name, has_role, role_state, answer, answered_at, explanation)
     select "guildId", "userId", 'member', "isHolder", case when "isHolder" then 'holder' else 'none' end,
       case when "isHolder" then 'holds' else 'does-not-hold' end, clock_timestamp(),
       jsonb_build_object('nftType', $2::text, 'unknownSince', null, 'wallets', '[]'::jsonb) ${from}`,
    [json, rockType],
  );
  await world.rows(
    `insert into discord_wallets (guild_id, wallet, user_id, scheme) select "guildId", wallet, "userId", 'ed25519' ${from}`,
    [json],
  );
  await world.rows('analyze discord_members, discord_wallets');
};

export const benchGuildOf = (number: number): string => String(710_000_000_000_000_000n + BigInt(number));
