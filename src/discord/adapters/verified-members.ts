import { sql } from 'kysely';

/** Of a row `m` of discord_members: in the server, with a wallet linked. The same members in every figure of 'verified'. */
export const isVerified = sql<boolean>`(m.is_in_guild and exists (
  select 1 from discord_wallets w where w.guild_id = m.guild_id and w.user_id = m.user_id))`;
