import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { UnverifiedHoldersAnswer } from '../members-contract.ts';
import type { Clock, ReadGuildMembers } from '../ports.ts';

type Holders = NonNullable<UnverifiedHoldersAnswer['data']>;

export interface UnverifiedHoldersDeps {
  readonly db: Kysely<Database>;
  readonly clock: Pick<Clock, 'now'>;
  /** null: there is no bot. */
  readonly readMembers: ReadGuildMembers | null;
}

/** Ten requests to Discord, 10,000 members. */
const pagesMax = 10;
const namedMax = 50;
const keptMs = 60_000;

/**
 * Members with the holder role and no linked wallet: from another bot, or by hand. The bot leaves them alone and stores nothing about
 * them, so Discord is asked when an admin asks, at most once a minute per server. null: no bot runs here, or no role is chosen.
 */
export function createUnverifiedHolders(deps: UnverifiedHoldersDeps): (guildId: string) => Promise<Holders | null> {
  const { db, readMembers } = deps;
  if (readMembers === null) return async () => null;
  const readLately = createKept(deps.clock, (guildId, roleId) => readHolders(readMembers, guildId, roleId));
  return async (guildId) => {
    const { rows } = await sql<{ roleId: string; walletOwners: string[] }>`
      select c.role_id, array(select distinct w.user_id from discord_wallets w where w.guild_id = c.guild_id) as wallet_owners
      from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
      where c.guild_id = ${guildId} and c.role_id <> '' and g.left_at is null`.execute(db);
    const [guild] = rows;
    if (guild === undefined) return null;
    const verified = new Set(guild.walletOwners);
    const { holders, isComplete } = await readLately(guildId, guild.roleId);
    const unverified = holders.filter(({ userId }) => !verified.has(userId));
    return { count: unverified.length, isComplete, members: unverified.slice(0, namedMax) };
  };
}

interface RoleHolders {
  readonly holders: Holders['members'];
  readonly isComplete: boolean;
}

type ReadHolders = (guildId: string, roleId: string) => Promise<RoleHolders>;

function createKept(clock: Pick<Clock, 'now'>, read: ReadHolders): ReadHolders {
  const kept = new Map<string, { readonly atMs: number; readonly found: Promise<RoleHolders> }>();
  return (guildId, roleId) => {
    const nowMs = clock.now().getTime();
    for (const [known, { atMs }] of kept) if (nowMs - atMs >= keptMs) kept.delete(known);
    const key = `${guildId} ${roleId}`;
    const { found } = kept.get(key) ?? { found: read(guildId, roleId) };
    if (!kept.has(key)) kept.set(key, { atMs: nowMs, found });
    // Failures are not cached.
    found.catch(() => kept.delete(key));
    return found;
  };
}

async function readHolders(readMembers: ReadGuildMembers, guildId: string, roleId: string): Promise<RoleHolders> {
  const holders: { userId: string; displayName: string }[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await readMembers(guildId, after);
    for (const { userId, displayName, isBot, roleIds } of page.members)
      if (!isBot && roleIds.includes(roleId)) holders.push({ userId, displayName });
    after = page.after;
    if (after === null) break;
  }
  return { holders, isComplete: after === null };
}
