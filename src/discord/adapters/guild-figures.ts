import { type Kysely, sql } from 'kysely';

import type { GuildFigures } from '../core/bot-texts.ts';
import type { DiscordTables } from './tables.ts';
import { isVerified } from './verified-members.ts';

/** What /stats tells of a server; null: the bot has never been there. Throws what the database throws. */
export type GuildFiguresStore = (
  guildId: string,
) => Promise<(GuildFigures & { readonly nftName: string | null }) | null>;

interface FiguresRow {
  readonly member_count: number | null;
  readonly nft_name: string | null;
  readonly last_sweep_at: Date | null;
  readonly verified_count: string;
  readonly role_holder_count: string;
  readonly wallet_count: string;
}

export const createGuildFigures =
  (db: Kysely<DiscordTables>): GuildFiguresStore =>
  async (guildId) => {
    const { rows } = await sql<FiguresRow>`
      select g.member_count, c.nft_name, c.last_sweep_at,
        (select count(*) from discord_members m where m.guild_id = g.guild_id and ${isVerified}) as verified_count,
        (select count(*) from discord_members m
          where m.guild_id = g.guild_id and m.is_in_guild and m.has_role) as role_holder_count,
        (select count(*) from discord_wallets w where w.guild_id = g.guild_id) as wallet_count
      from discord_guilds g left join discord_guild_configs c on c.guild_id = g.guild_id
      where g.guild_id = ${guildId}`.execute(db);
    const [row] = rows;
    if (row === undefined) return null;
    return {
      nftName: row.nft_name,
      memberCount: row.member_count,
      verifiedCount: Number(row.verified_count),
      roleHolderCount: Number(row.role_holder_count),
      walletCount: Number(row.wallet_count),
      lastSweepAt: row.last_sweep_at,
    };
  };
