import { type Kysely, sql } from 'kysely';

import type { GuildFigures } from '../commands/rules/bot-texts.ts';
import type { Database } from '../../db/schema.ts';
import { isVerified } from '../roles/member-store.ts';

/** Figures of a server for /stats; null: the bot has never been there. Throws database errors. */
export type GuildFiguresStore = (
  guildId: string,
) => Promise<(GuildFigures & { readonly nftName: string | null }) | null>;

export const createGuildFigures =
  (db: Kysely<Database>): GuildFiguresStore =>
  async (guildId) => {
    const { rows } = await sql<GuildFigures & { readonly nftName: string | null }>`
      select g.member_count, c.nft_name, c.last_sweep_at,
        (select count(*)::int from discord_members m where m.guild_id = g.guild_id and ${isVerified}) as verified_count,
        (select count(*)::int from discord_members m
          where m.guild_id = g.guild_id and m.is_in_guild and m.has_role) as role_holder_count,
        (select count(*)::int from discord_wallets w where w.guild_id = g.guild_id) as wallet_count
      from discord_guilds g left join discord_guild_configs c on c.guild_id = g.guild_id
      where g.guild_id = ${guildId}`.execute(db);
    return rows[0] ?? null;
  };
