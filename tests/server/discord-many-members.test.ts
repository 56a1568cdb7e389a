import { afterEach, beforeEach, expect, it } from 'vitest';

import { type DiscordWorld, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

/** After a connect all members who have linked a wallet are requested, a hundred per request (rulings R5). */
let world: DiscordWorld;
beforeEach(async () => void (world = await startDiscordWorld()));
afterEach(() => world.end());

const discord = () => world.sandbox.discord;

/** Adds `count` members to a server who have linked a wallet; whether they have the role is unknown. */
async function linkMany(guildId: string, roleId: string, count: number): Promise<void> {
  const userIds = discord().addMembers({ guildId, count, roles: [roleId] });
  await world.rows("insert into discord_guilds (guild_id, name, roles, channels) values ($1, 'Known', '[]', '[]')", [
    guildId,
  ]);
  await world.rows(
    `insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, updated_by) values ($1, $2, '0x2::a::B', 'B', 'test')`,
    [guildId, roleId],
  );
  await world.rows(
    'insert into discord_members (guild_id, user_id, display_name) select $1, id, id from unnest($2::text[]) id',
    [guildId, userIds],
  );
}
const known = async (guildId: string): Promise<number> => {
  const [row] = await world.rows(
    'select count(*)::integer as count from discord_members where guild_id = $1 and has_role',
    [guildId],
  );
  return Number(row?.['count']);
};

it('a server whose request got no answer is asked again, and other servers continue meanwhile', async () => {
  const { guildId, roles, low } = discord().seeded;
  await linkMany(guildId, roles.holder, 600);
  await linkMany(low.guildId, low.holderRoleId, 50);
  discord().setMemberAnswers({ guildId, answered: 3 });
  await world.activeCopy({ pace: { membersWithinMs: 300, rewriteMs: 100 } });
  await until('the other server is known', async () => (await known(low.guildId)) === 50);
  await until('it was tried again', () => discord().gateway().memberRequests >= 1 + 3 + 3);
  expect(await known(guildId)).toBe(300);
  discord().setMemberAnswers({ guildId, answered: null });
  await until('everybody is known', async () => (await known(guildId)) === 600, 20_000);
}, 40_000);
