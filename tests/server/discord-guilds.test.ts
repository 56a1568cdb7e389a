import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { GuildsAnswer } from '../../src/discord/contract.ts';
import { databaseLine } from '../support/database-line.ts';
import type { DiscordCopy } from '../support/discord-copy.ts';
import { type DiscordWorld, knownGuild, linkedMember, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

let world: DiscordWorld;
let copy: DiscordCopy;
beforeEach(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await knownGuild(world, guildId());
});
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const guildId = (): string => discord().seeded.guildId;
const holder = (): string => discord().seeded.roles.holder;
const gwen = (): string => discord().seeded.memberIds[0] ?? '';
const wallet = `0x${'a'.repeat(64)}`;
const guilds = async (): Promise<GuildsAnswer> => (await copy.call('GET', '/api/discord/guilds')).body.data;
const guildNow = async (id = guildId()) => (await guilds()).find((guild) => guild.id === id);
const problemsOf = async (id = guildId()) => (await guildNow(id))?.problems.map(({ code }) => code);
const hasProblems = (...codes: string[]) =>
  until(
    `the problems are ${codes.join(', ')}`,
    async () => JSON.stringify(await problemsOf()) === JSON.stringify(codes),
  );
const configure = (roleId: string, channelId = discord().seeded.channels.verify, id = guildId()) =>
  copy.call('POST', '/api/discord/configure', {
    guildId: id,
    roleId,
    channelId,
    nftContract: world.sandbox.facts.collectionType,
    nftName: 'Sui Rocks',
  });
const linkGwen = () => linkedMember(world, { guildId: guildId(), userId: gwen(), wallet });
const gwenRow = async () =>
  (await world.rows('select * from discord_members where guild_id = $1 and user_id = $2', [guildId(), gwen()]))[0];
const gwenIs = (fields: Record<string, unknown>) =>
  until(`Gwen is ${JSON.stringify(fields)}`, async () => {
    const row = await gwenRow();
    return Object.entries(fields).every(([name, value]) => row?.[name] === value);
  });
const leftAt = async (id: string) =>
  (await world.rows('select left_at from discord_guilds where guild_id = $1', [id]))[0]?.['left_at'];

describe('Servers', () => {
  test('are listed with members, roles and channels, and which can be given and posted in', async () => {
    const { roles, channels, low } = discord().seeded;
    expect(await guildNow()).toMatchObject({
      name: 'Rock Mountain',
      memberCount: 9,
      problems: [],
      verifiedCount: 0,
      hasWaitingRemoval: false,
    });
    expect(await guildNow()).not.toHaveProperty('config');
    const listed = await guildNow();
    expect(listed?.roles.find(({ id }) => id === roles.holder)).toMatchObject({
      name: 'Rock Holder',
      canBeGiven: true,
    });
    expect(listed?.roles.find(({ id }) => id === roles.moderator)).toMatchObject({ canBeGiven: false });
    expect(listed?.roles.find(({ id }) => id === roles.bot)).toMatchObject({ canBeGiven: false });
    expect(listed?.channels).toContainEqual({ id: channels.verify, name: 'verify', canPost: true });
    await knownGuild(world, low.guildId);
    expect((await guildNow(low.guildId))?.roles.find(({ id }) => id === low.holderRoleId)?.canBeGiven).toBe(false);
  });

  test('appear when the bot joins and disappear when it is removed; a second invitation restores the configuration', async () => {
    const added = discord().addGuild({
      name: 'Fresh Quarry',
      roles: [{ name: 'Holder' }],
      channels: [{ name: 'verify' }],
    });
    await knownGuild(world, added.id);
    const role = [...added.roles.values()].find(({ name }) => name === 'Holder');
    expect((await configure(role!.id, '', added.id)).status).toBe(200);
    const watched = () => world.rows("select 1 from collection_watches where listener = 'discord'");
    await until('it is watched', async () => (await watched()).length === 1);
    discord().kickBot({ guildId: added.id });
    await until('it is left', async () => (await leftAt(added.id)) !== null);
    expect(await guildNow(added.id)).toBeUndefined();
    expect(await watched()).toEqual([]);
    expect((await configure(role!.id, '', added.id)).status).toBe(404);
    discord().joinGuild({ guildId: added.id });
    await knownGuild(world, added.id);
    await until('it is watched again', async () => (await watched()).length === 1);
    expect((await guildNow(added.id))?.config).toMatchObject({ nftName: 'Sui Rocks', roleId: role!.id });
  });

  test('are not left during an outage of Discord', async () => {
    discord().setAvailable({ guildId: guildId(), isAvailable: false });
    const added = discord().addGuild({ name: 'A later event' });
    await knownGuild(world, added.id);
    expect(await leftAt(guildId())).toBeNull();
    await until('the outage is listed', async () => (await guildNow())?.problems[0]?.code === 'server-outage');
    discord().setAvailable({ guildId: guildId(), isAvailable: true });
    discord().updateGuild({ guildId: guildId(), name: 'Back again' });
    await until('its events arrive again', async () => (await guildNow())?.name === 'Back again');
    await hasProblems();
  });

  test('that remove the bot while it is off are left when it comes back', async () => {
    await copy.call('POST', '/api/discord/shutdown');
    expect(await copy.call('GET', '/api/discord/guilds')).toMatchObject({ status: 409, body: { code: 'bot-offline' } });
    discord().kickBot({ guildId: discord().seeded.low.guildId });
    await copy.call('POST', '/api/discord/init');
    await until('it is left', async () => (await leftAt(discord().seeded.low.guildId)) !== null);
    expect((await guilds()).map(({ name }) => name)).toEqual(['Rock Mountain']);
  });
});

describe('Problems of a server are named with the exact fix', () => {
  test('no role yet, a role above the bot’s, a deleted role', async () => {
    await configure('');
    await hasProblems('no-role');
    await configure(holder());
    await hasProblems();
    discord().moveRole({ guildId: guildId(), roleId: holder(), position: 3 });
    await hasProblems('role-too-high');
    expect((await guildNow())?.problems[0]?.fix).toContain('drag the bot\'s role above "Rock Holder"');
    discord().moveRole({ guildId: guildId(), roleId: holder(), position: 1 });
    await hasProblems();
    discord().deleteRole({ guildId: guildId(), roleId: holder() });
    await hasProblems('role-missing');
  });

  test('a missing permission, a hidden channel, a channel without posting, a deleted channel', async () => {
    const { channels, roles } = discord().seeded;
    await configure(holder());
    discord().setBotPermissions({ guildId: guildId(), permissions: ['VIEW_CHANNEL', 'SEND_MESSAGES'] });
    await hasProblems('no-manage-roles');
    discord().setBotPermissions({ guildId: guildId(), permissions: ['MANAGE_ROLES', 'VIEW_CHANNEL', 'SEND_MESSAGES'] });
    await hasProblems();
    discord().setOverwrite({ channelId: channels.verify, targetId: roles.bot, deny: ['VIEW_CHANNEL'] });
    await hasProblems('channel-hidden');
    discord().setOverwrite({ channelId: channels.verify, targetId: roles.bot, deny: ['SEND_MESSAGES'] });
    await hasProblems('channel-read-only');
    discord().deleteChannel({ channelId: channels.verify });
    await hasProblems('channel-missing');
  });
});

describe('Members who have linked a wallet', () => {
  test('have the role and the name that Discord reports, whoever gave or removed the role', async () => {
    await configure(holder());
    await linkGwen();
    discord().giveRole({ guildId: guildId(), userId: gwen(), roleId: holder() });
    await gwenIs({ has_role: true, display_name: 'Granite Gwen' });
    discord().updateMember({ guildId: guildId(), userId: gwen(), nick: 'Gwen\n the Great' });
    await gwenIs({ display_name: 'Gwen the Great' });
    discord().takeRole({ guildId: guildId(), userId: gwen(), roleId: holder() });
    await gwenIs({ has_role: false });
  });

  test('who leave are not in the server, and are checked at once when they come back', async () => {
    await configure(holder());
    await linkGwen();
    discord().removeMember({ guildId: guildId(), userId: gwen() });
    await gwenIs({ is_in_guild: false, has_role: false });
    expect((await guildNow())?.verifiedCount).toBe(0);
    await until('the count is listed', async () => (await guildNow())?.memberCount === 8);
    discord().addMember({ guildId: guildId(), userId: gwen() });
    await gwenIs({ is_in_guild: true });
    await until('they were checked', async () => (await gwenRow())?.['answer'] === 'does-not-hold');
  });

  test('are requested after each connect, a hundred at a time', async () => {
    await configure(holder());
    await copy.call('POST', '/api/discord/shutdown');
    const ids = discord().addMembers({ guildId: guildId(), count: 130, roles: [holder()] });
    for (const [at, userId] of ids.entries()) {
      await linkedMember(world, { guildId: guildId(), userId, wallet: `0x${String(at).padStart(64, '0')}` });
    }
    await linkGwen();
    const [gone = ''] = ids;
    discord().removeMember({ guildId: guildId(), userId: gone });
    await copy.call('POST', '/api/discord/init');
    await until('everybody is known', async () => {
      const rows = await world.rows('select 1 from discord_members where has_role is null');
      return rows.length === 0;
    });
    expect(await world.rows('select user_id from discord_members where has_role')).toHaveLength(129);
    expect(await world.rows('select user_id from discord_members where not is_in_guild')).toEqual([{ user_id: gone }]);
    expect(discord().gateway().memberRequests).toBe(2);
  });

  test('are requested again after another role was chosen', async () => {
    await configure(holder());
    await linkGwen();
    discord().giveRole({ guildId: guildId(), userId: gwen(), roleId: holder() });
    await gwenIs({ has_role: true });
    const other = discord().createRole({ guildId: guildId(), name: 'Other', position: 1 });
    await until('the role is known', async () => (await guildNow())?.roles.some(({ id }) => id === other.id) === true);
    await configure(other.id);
    await gwenIs({ has_role: false });
  });

  test('no longer have a role that was deleted, even while the bot was off', async () => {
    await configure(holder());
    await linkGwen();
    discord().giveRole({ guildId: guildId(), userId: gwen(), roleId: holder() });
    await gwenIs({ has_role: true });
    discord().deleteRole({ guildId: guildId(), roleId: holder() });
    await gwenIs({ has_role: false });
    const other = discord().createRole({ guildId: guildId(), name: 'Other', position: 1 });
    await until('the role is known', async () => (await guildNow())?.roles.some(({ id }) => id === other.id) === true);
    await configure(other.id);
    discord().giveRole({ guildId: guildId(), userId: gwen(), roleId: other.id });
    await gwenIs({ has_role: true });
    await copy.call('POST', '/api/discord/shutdown');
    await world.rows("update discord_members set role_state = 'holder', check_due_at = null, check_cause = null");
    discord().deleteRole({ guildId: guildId(), roleId: other.id });
    await copy.call('POST', '/api/discord/init');
    await gwenIs({ has_role: false });
    // A sweep at this moment may have requested a check of its own.
    expect((await gwenRow())?.['check_cause']).not.toBe('role-missing');
  });

  test('are brought up to date after a database outage', async () => {
    const line = await databaseLine(world.database.url);
    await copy.stop();
    // The gateway's lock stays, so that the same connection continues: a new one would request them anyway.
    copy = await world.copy({ databaseUrl: line.url, lockUrl: world.database.url });
    await until(
      'it is active',
      async () => (await copy.call('GET', '/api/discord/status')).body.data['state'] === 'active',
    );
    await configure(holder());
    await linkGwen();
    const change = { guildId: guildId(), userId: gwen(), roleId: holder() };
    discord().giveRole(change);
    await gwenIs({ has_role: true });
    discord().takeRole(change);
    await gwenIs({ has_role: false });
    line.cut();
    discord().giveRole(change);
    await until('it was tried', () => world.log().includes('An event about a member could not be saved'));
    await line.mend();
    await gwenIs({ has_role: true });
    await copy.stop();
    await line.end();
  });
});
