import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import {
  admin,
  guildId,
  type RoleCopy,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** 'Delete my data', and the log of changes. */
let world: RoleWorld;
let roles: RoleCopy;
const [gwen, hugo] = [userOf(1), userOf(2)];
const asGwen = { kind: 'discord', userId: gwen, name: 'Granite Gwen' } as const;
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const log = async (): Promise<string> => JSON.stringify(await world.rows('select * from audit_entries order by id'));
const labelsOf = async (action: string) =>
  (await world.rows('select subject_label from audit_entries where action = $1 order by id', [action])).map(
    (row) => row['subject_label'],
  );

it('members who delete their data are no longer in any log entry, by id, name or wallet; others still are', async () => {
  for (const number of [1, 2]) {
    world.holdings.set(walletOf(number), 1);
    await world.link(roles, userOf(number), [walletOf(number), walletOf(number + 5)]);
    await world.rows('update discord_members set display_name = $1 where user_id = $2', [
      number === 1 ? 'Granite Gwen' : 'Hugo',
      userOf(number),
    ]);
  }
  roles.start();
  await until('they have the role', () => world.roleHolders.has(gwen) && world.roleHolders.has(hugo));
  await world.quiet();
  expect(await roles.unlinkWallet(guildId, gwen, walletOf(6), asGwen)).toBe(true);
  expect(await roles.unlinkWallet(guildId, hugo, walletOf(7), admin)).toBe(true);
  for (const trace of [gwen, 'Granite Gwen', walletOf(6)]) expect(await log()).toContain(trace);

  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  await until('the role is gone', () => !world.roleHolders.has(gwen));
  await until('the last row is gone', async () => {
    return (
      (
        await world.rows(
          'select 1 from discord_member_roles where user_id = $1 union all select 1 from discord_direct_messages where user_id = $1',
          [gwen],
        )
      ).length === 0
    );
  });
  for (const trace of [gwen, 'Granite Gwen', walletOf(1), walletOf(6)]) expect(await log()).not.toContain(trace);
  for (const trace of [hugo, 'Hugo', walletOf(7)]) expect(await log()).toContain(trace);
  const [{ name } = {}] = await world.rows('select name from discord_guilds');
  expect(await labelsOf('discord-member-deleted')).toEqual([`a member of ${String(name)}`]);
  expect(await labelsOf('discord-wallet-unlinked')).toEqual([`a member of ${String(name)}`, `Hugo in ${String(name)}`]);
});

it('an admin who deletes someone’s data is still named for it', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  await roles.deleteMember(guildId, gwen, admin);
  const [entry] = await world.rows("select * from audit_entries where action = 'discord-member-deleted'");
  expect(entry).toMatchObject({ actor_name: admin.name, actor_id: admin.userId, subject_id: 'deleted member' });
});

it('a removal that Discord refuses after a deletion is tried again, and the log does not name the member', async () => {
  world.holdings.set(walletOf(1), 1);
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('she has the role', () => world.roleHolders.has(gwen));
  await world.quiet();
  world.answer = () => ({ kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' });
  await roles.deleteMember(guildId, gwen, asGwen);
  const failed = () => world.rows('select id from discord_member_roles where failure is not null');
  await until('the removal failed', async () => (await failed()).length === 1);
  world.answer = () => undefined;
  await world.elapse(60.1);
  await until('the role is gone', () => !world.roleHolders.has(gwen));
  expect(await log()).not.toContain(gwen);
});

it.each(['refused to give it', 'gave it, and someone removed it'])(
  'a role that an admin gave is not removed with the data, although Discord or the bot once %s',
  async (before) => {
    world.holdings.set(walletOf(1), 1);
    await world.link(roles, gwen, [walletOf(1)]);
    if (before === 'refused to give it')
      world.answer = () => ({ kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' });
    roles.start();
    const isSettled =
      "select 1 from discord_member_roles where (due_at is null or failure is not null) and cause = 'verified'";
    await until('it was tried', async () => (await world.rows(isSettled)).length === 1);
    world.answer = () => undefined;
    await world.quiet();
    world.holdings.set(walletOf(1), 0);
    await roles.memberRoleSeen(guildId, gwen, false);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await until('she is released', async () => (await world.member(gwen))['role_state'] === 'none');
    await roles.memberRoleSeen(guildId, gwen, true);
    await world.quiet();
    world.done.length = 0;
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
    expect(await world.rows('select 1 from discord_member_roles')).toEqual([]);
    expect(world.done).toEqual([]);
  },
);

describe('the log of changes cannot be changed without a trace', () => {
  const deletions = () => labelsOf('discord-member-deleted');
  const tell = (action: string, subject: { kind: string; id: string }) =>
    world.rows(
      `insert into audit_entries (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_label)
       values ('discord', $1, 'Granite Gwen', $2, $3, $4, 'Rock Mountain')`,
      [gwen, action, subject.kind, subject.id],
    );
  const actorsOf = (action: string) =>
    world.rows('select actor_id, actor_name from audit_entries where action = $1', [action]);
  const setUp = () => tell('discord-server-set-up', { kind: 'discord-guild', id: guildId });
  const asHerself = [{ actor_id: gwen, actor_name: 'Granite Gwen' }];

  it('a member who set up the server is still named for it after deleting their data', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    await setUp();
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
    expect(await actorsOf('discord-server-set-up')).toEqual(asHerself);
    expect(await actorsOf('discord-member-deleted')).toEqual([{ actor_id: null, actor_name: 'deleted member' }]);
  });

  it('a member with nothing to delete changes nothing, and nothing is logged', async () => {
    await setUp();
    const before = await log();
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(false);
    expect(await log()).toBe(before);
  });

  it('a member who is only in the log is redacted there once, and the log says so', async () => {
    await tell('discord-wallet-unlinked', { kind: 'discord-member', id: `${guildId}/${gwen}` });
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
    expect(await log()).not.toContain(gwen);
    expect(await deletions()).toEqual(['a member of Rock Mountain']);
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(false);
    expect(await deletions()).toHaveLength(1);
  });
});
