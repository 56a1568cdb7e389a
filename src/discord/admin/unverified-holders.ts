import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { guildParams } from '../contract.ts';
import { unverifiedHoldersAnswer, type UnverifiedHoldersAnswer } from '../members-contract.ts';
import type { ReadGuildMembers } from '../ports.ts';

type Holders = NonNullable<UnverifiedHoldersAnswer['data']>;

interface UnverifiedHoldersDeps {
  readonly db: Kysely<Database>;
  /** null: there is no bot. */
  readonly readMembers: ReadGuildMembers | null;
}

/** Ten requests to Discord, 10,000 members. */
const pagesMax = 10;
const namedMax = 50;

/** Rulings R6: role holders without a linked wallet. */
export function unverifiedRoutes(deps: UnverifiedHoldersDeps): readonly Route[] {
  const read = createUnverifiedHolders(deps);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/discord/guilds/{guildId}/unverified-holders',
      access: 'admin',
      summary: 'Members who have the holder role and have linked no wallet: from another bot, or by hand',
      params: guildParams,
      answer: unverifiedHoldersAnswer,
      handle: async ({ params }) => ({ status: 200, body: { data: await read(params.guildId) } }),
    }),
  ];
}

/**
 * Members with the holder role and no linked wallet: from another bot, or by hand. The bot leaves them alone and stores nothing about
 * them, so Discord is asked when an admin asks. null: no bot runs here, or no role is chosen.
 */
function createUnverifiedHolders(deps: UnverifiedHoldersDeps): (guildId: string) => Promise<Holders | null> {
  const { db, readMembers } = deps;
  if (readMembers === null) return async () => null;
  return async (guildId) => {
    const config = await db
      .selectFrom('discordGuildConfigs as c')
      .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
      .select('c.roleId')
      .where('c.guildId', '=', guildId)
      .where('c.roleId', '<>', '')
      .where('g.leftAt', 'is', null)
      .executeTakeFirst();
    if (config === undefined) return null;
    const owners = db.selectFrom('discordWallets').select('userId').distinct().where('guildId', '=', guildId);
    const verified = new Set((await owners.execute()).map(({ userId }) => userId));
    const { holders, isComplete } = await readHolders(readMembers, guildId, config.roleId);
    const unverified = holders.filter(({ userId }) => !verified.has(userId));
    return { count: unverified.length, isComplete, members: unverified.slice(0, namedMax) };
  };
}

async function readHolders(
  readMembers: ReadGuildMembers,
  guildId: string,
  roleId: string,
): Promise<{ holders: Holders['members']; isComplete: boolean }> {
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
