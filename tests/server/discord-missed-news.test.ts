import { afterEach, beforeEach, expect, it } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { type DiscordWorld, knownGuild, linkedMember, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';
import { verifyPerson } from '../support/verify-for-real.ts';

/** What Discord reports about members and servers is stored in order, and again if the database failed. */
let world: DiscordWorld;
let copy: DiscordCopy;
beforeEach(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
});
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const guildId = (): string => discord().seeded.guildId;
const isIn = async (userId: string | undefined) =>
  (await world.rows('select is_in_guild from discord_members where user_id = $1', [userId]))[0]?.['is_in_guild'];
const memberCount = async () =>
  (await world.rows('select member_count from discord_guilds where guild_id = $1', [guildId()]))[0]?.['member_count'];

it('a member who joins while the earlier member list is being stored is in the server', async () => {
  await knownGuild(world, guildId());
  const [gwen = '', ben = ''] = discord().seeded.memberIds;
  for (const userId of [gwen, ben]) {
    await linkedMember(world, { guildId: guildId(), userId, wallet: `0x${userId.slice(-4).padStart(64, 'a')}` });
  }
  await copy.call('POST', '/api/discord/shutdown');
  discord().removeMember({ guildId: guildId(), userId: gwen });
  const asked = discord().gateway().memberRequests;
  const holder = await world.database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from discord_members where user_id = $1 for update', [ben]);
  await copy.call('POST', '/api/discord/init');
  await until('Discord was asked who is there', () => discord().gateway().memberRequests > asked);
  await until('it is known that Gwen has left', async () => (await memberCount()) === 8);
  discord().addMember({ guildId: guildId(), userId: gwen });
  await until('her joining was reported', async () => (await memberCount()) === 9);
  await holder.query('commit');
  holder.release();
  await until('everything is stored', async () => (await isIn(ben)) === true && (await isIn(gwen)) === true);
  await copy.stop();
  expect(await isIn(gwen)).toBe(true);
});

it('a server is not saved for each member who joins or leaves; the count waits, and is right with the next change', async () => {
  await copy.stop();
  copy = await world.copy({ pace: { countEveryMs: 3_600_000 } });
  await until('the bot is connected', async () => (await memberCount()) === 9);
  const gwen = discord().seeded.memberIds[0] ?? '';
  await linkedMember(world, { guildId: guildId(), userId: gwen, wallet: `0x${'a'.repeat(64)}` });
  discord().removeMember({ guildId: guildId(), userId: gwen });
  await until('her leaving is stored', async () => (await isIn(gwen)) === false);
  expect(await memberCount()).toBe(9);
  discord().updateGuild({ guildId: guildId(), name: 'Rock Hill' });
  await until('the count is stored', async () => (await memberCount()) === 8);
});

it('a server that was left while the bot was off is left even if the database failed during the connect', async () => {
  const { low } = discord().seeded;
  await knownGuild(world, low.guildId);
  await copy.call('POST', '/api/discord/shutdown');
  discord().kickBot({ guildId: low.guildId });
  await world.rows(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'The disk is full'; end $$;
    create trigger failing before update on discord_guilds for each row when (new.left_at is not null) execute function fail()`);
  await copy.call('POST', '/api/discord/init');
  await until('it was tried', () => world.log().includes('has left could not be saved'));
  await world.rows('drop trigger failing on discord_guilds');
  const left = () =>
    world.rows('select 1 from discord_guilds where guild_id = $1 and left_at is not null', [low.guildId]);
  await until('it is left', async () => (await left()).length === 1);
});

it.each([
  ['while the bot runs', false],
  ['while the bot is off', true],
])('a holder who comes back %s gets the role only once they have accepted the rules', async (_when, isOff) => {
  await knownGuild(world, guildId());
  const { channels, memberIds, roles } = discord().seeded;
  const [userId = '', ben = ''] = memberIds;
  const member = { guildId: guildId(), userId };
  const configured = await copy.call('POST', '/api/discord/configure', {
    guildId: guildId(),
    roleId: roles.holder,
    channelId: channels.verify,
    nftContract: world.sandbox.facts.collectionType,
    nftName: 'Sui Rocks',
  });
  expect(configured.status).toBe(200);
  const hasRole = (): boolean =>
    discord().membersWithRole({ guildId: guildId(), roleId: roles.holder }).includes(userId);
  await verifyPerson(world.sandbox, copy, { userId, channelId: channels.verify }, 'Granite Gwen');
  await until('she has the role', hasRole);
  await linkedMember(world, { guildId: guildId(), userId: ben, wallet: `0x${'b'.repeat(64)}` });
  if (isOff) await copy.call('POST', '/api/discord/shutdown');
  discord().removeMember(member);
  discord().addMember({ ...member, isPending: true });
  discord().updateMember({ guildId: guildId(), userId: ben, nick: 'Ben, later' });
  if (isOff) await copy.call('POST', '/api/discord/init');
  const benIsRenamed = () => world.rows("select 1 from discord_members where display_name = 'Ben, later'");
  await until('all that is stored', async () => (await benIsRenamed()).length === 1);
  await until('it is known who is there', async () => (await isIn(userId)) === false || hasRole());
  expect(hasRole()).toBe(false);
  discord().updateMember({ ...member, isPending: false });
  await until('she has the role again', hasRole);
});
