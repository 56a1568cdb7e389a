import { expect, test } from 'vitest';

import { discordCommandScene } from '../support/discord-command-scene.ts';

const { world, copy, discord, memberId, setUp, linkGwen, gwenAt, benAt } = discordCommandScene();

const read = () => copy().call('GET', `/api/discord/guilds/${discord().seeded.guildId}/unverified-holders`);

test('members who have the role from another bot or by hand and no linked wallet are listed; bots and verified members are not', async () => {
  expect(await read()).toMatchObject({ status: 200, body: { data: null } });
  await setUp();
  await linkGwen();
  const { guildId, roles } = discord().seeded;
  const [byHand = '', ...others] = discord().membersWithRole({ guildId, roleId: roles.holder });
  for (const userId of [byHand, ...others])
    if (userId !== '') discord().takeRole({ guildId, userId, roleId: roles.holder });
  for (const userId of [memberId(gwenAt), memberId(benAt), world().sandbox.facts.discordBotId])
    discord().giveRole({ guildId, userId, roleId: roles.holder });
  const { body } = await read();
  expect(body).toMatchObject({ data: { count: 1, isComplete: true, members: [{ userId: memberId(benAt) }] } });
  expect(await world().rows('select user_id from discord_members')).toEqual([{ user_id: memberId(gwenAt) }]);

  const onlyBen = async () => expect((await read()).body).toMatchObject({ data: { count: 1 } });
  // Gwen has unlinked everything and is about to lose the role; then she deletes her data, and the role still has to be removed.
  await world().rows('delete from discord_wallets');
  await world().rows("update discord_members set role_state = 'doubt'");
  await onlyBen();
  await world().rows('delete from discord_member_roles');
  await world().rows('delete from discord_members');
  await world().rows(
    `insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause) values ($1, $2, $3, 'remove-role', 'data-deleted')`,
    [guildId, memberId(gwenAt), roles.holder],
  );
  await onlyBen();
});

test('a server in which the bot has never been is answered with 404', async () => {
  expect(await copy().call('GET', '/api/discord/guilds/99999999999/unverified-holders')).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  });
});

test('an outage of Discord is a failure, not an empty list', async () => {
  await setUp();
  await world().sandbox.faults.set('discord', { kind: '500' });
  expect(await read()).toMatchObject({ status: 503 });
});
