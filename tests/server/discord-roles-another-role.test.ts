import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readGuildFigures } from '../../src/discord/admin/statistics-store.ts';
import { createGuildMemberStore } from '../../src/discord/servers/guild-member-store.ts';
import { saveGuild } from '../../src/discord/servers/guild-register.ts';
import { auditTrail } from '../../src/audit/audit-log.ts';
import { type Configuring, createConfiguring } from '../../src/discord/servers/configuring.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import {
  admin,
  guildId,
  rockType,
  roleId,
  type RoleCopy,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** An admin chooses another role: members who must lose a role still lose it, and the save is never half done. */
let world: RoleWorld;
let roles: RoleCopy;
let isFailing: boolean;
const gwen = userOf(1);
const { settle } = roleStories(() => world);
const otherRoleId = '700000000000000003';
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  isFailing = false;
  await world.server();
});
afterEach(() => world.end());

const db = () => typedKysely(world.database.pool);
const members = () => createGuildMemberStore(db());
const configuring = (): Configuring =>
  createConfiguring({
    db: db(),
    watching: { unwatch: async () => {} },
    audit: {
      ...auditTrail,
      record: async (...entry) => {
        await auditTrail.record(...entry);
        if (isFailing) throw new Error('the database is gone');
      },
    },
    announceRolesUnknown: async () => Promise.reject(new Error('nobody listens')),
    log: { warn: () => {} },
    defaults: { nftContract: rockType, nftName: 'Sui Rocks' },
  });
const choose = (role: string) =>
  configuring().save(
    guildId,
    { roleId: role, channelId: null, nftContract: rockType, nftName: 'Sui Rocks' },
    { actor: admin, ifVersion: null },
  );
const seen = (roleIds: readonly string[], userIds: readonly string[] = [gwen]) =>
  members().seen(
    guildId,
    userIds.map((userId) => ({ userId, displayName: 'Gwen', roleIds })),
  );

describe('Another role', () => {
  it('and then the first one again: a member who sold meanwhile loses the one that the bot gave', async () => {
    world.holdings.set(walletOf(1), 1);
    await world.link(roles, gwen, [walletOf(1)]);
    roles.start();
    await until('she has it', () => world.roleHolders.has(gwen));
    await world.quiet();
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await choose(otherRoleId);
    await seen([roleId]);
    await world.elapse(10.1);
    await until('she is released', async () => (await world.member(gwen))['role_state'] === 'none');
    await choose(roleId);
    await seen([roleId]);
    await until('she is checked', async () => (await world.member(gwen))['role_state'] === 'doubt');
    await world.elapse(10.1);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
  });

  it('and then the first one again: a member whom an admin let keep that one still keeps it', async () => {
    await settle(1, guildId, 1);
    world.holdings.set(walletOf(1), 0);
    await world.rows("update discord_members set role_state = 'kept', answer = 'does-not-hold'");
    roles.start();
    for (const role of [otherRoleId, roleId]) {
      await choose(role);
      await seen([roleId]);
      expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({
        roleState: 'kept',
        hasRole: role === roleId,
      });
    }
  });

  it('is removed from a member who sold, even if Discord refused to remove the previous one', async () => {
    world.holdings.set(walletOf(1), 1);
    await world.link(roles, gwen, [walletOf(1)]);
    roles.start();
    await until('she has it', () => world.roleHolders.has(gwen));
    await world.quiet();
    world.answer = ({ kind }) =>
      kind === 'remove' ? { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' } : undefined;
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    const failed = () =>
      world.rows("select 1 from discord_member_roles where wanted = 'remove-role' and failure is not null");
    await until('it is refused', async () => (await failed()).length === 1);
    world.answer = () => undefined;
    await choose(otherRoleId);
    await seen([otherRoleId]);
    await until('the other one is taken', () => world.done.at(-1)?.kind === 'remove');
    expect(world.done.at(-1)).toMatchObject({ roleId: otherRoleId });
  });

  it('is saved with what follows for the members, or not at all', async () => {
    const chosen = () => world.rows('select role_id from discord_guild_configs');
    isFailing = true;
    await expect(choose(otherRoleId)).rejects.toThrow('the database is gone');
    expect(await chosen()).toEqual([{ role_id: roleId }]);
    isFailing = false;
    expect(await choose(otherRoleId)).toBe('saved');
    expect(await chosen()).toEqual([{ role_id: otherRoleId }]);
  });

  it('is saved while Discord reports all members, and so are its reports', async () => {
    const userIds = Array.from({ length: 200 }, (_none, index) => userOf(index));
    await world.rows(
      `insert into discord_members (guild_id, user_id, display_name, has_role)
       select $1, id, 'member', true from unnest($2::text[]) id`,
      [guildId, userIds.toReversed()],
    );
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([
        choose(round % 2 === 0 ? otherRoleId : roleId),
        seen([roleId], userIds),
        members().gone(guildId, userIds.slice(0, 100)),
        seen([], userIds),
      ]);
    }
    const [row] = await world.rows('select version from discord_guild_configs');
    expect(row).toEqual({ version: 16 });
  });
});

describe('A role that was deleted in Discord', () => {
  const tell = async (...roleIds: readonly string[]): Promise<void> => {
    const described = {
      guildId,
      name: 'Rock Mountain',
      memberCount: 3,
      roles: roleIds.map((id) => ({ id, name: 'Rock Holder', position: 2, isManaged: false })),
      channels: [],
      botPermissions: '268435456',
      botTopPosition: 5,
    };
    await db()
      .transaction()
      .execute((transaction) => saveGuild(transaction, described));
    await roles.guildChanged(guildId);
  };
  const hasRole = async () =>
    (await world.rows('select has_role from discord_members order by user_id')).map((row) => row['has_role']);
  const [hugo, ivy] = [userOf(2), userOf(3)];
  /** Gwen and Hugo hold and have the role; Ivy has sold, and was checked once. */
  const deleted = async (): Promise<void> => {
    await settle(3, guildId, 1);
    world.holdings.set(walletOf(3), 0);
    await roles.checkNow(guildId, ivy, 'sold');
    world.answer = ({ roleId: role }) =>
      role === roleId ? { kind: 'refused', code: 'unknown-role', sentence: 'The role is gone.' } : undefined;
    roles.start();
    await tell();
  };

  it('counts as nobody’s from that moment on, in words and figures', async () => {
    await deleted();
    expect(await hasRole()).toEqual([false, false, false]);
    const explained = await roles.explain(guildId, gwen);
    expect(explained).toMatchObject({ hasRole: false, roleState: 'holder' });
    expect(explained?.sentences[0]).toContain('is gone: it was deleted in Discord');
    expect(explained?.sentences.join(' ')).not.toContain('on its way');
    const { body } = (await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics')) as never as {
      body: { data: { roleHolderCount: number } };
    };
    expect(body.data.roleHolderCount).toBe(0);
    expect(await readGuildFigures(db(), guildId)).toMatchObject({ roleHolderCount: 0 });
  });

  it('is removed from nobody, not treated as missing, and tried once', async () => {
    let tries = 0;
    await deleted();
    const refuse = world.answer;
    world.answer = (call) => {
      tries += 1;
      return refuse(call);
    };
    await seen([], [gwen, hugo]);
    expect(await world.rows('select 1 from discord_members where check_due_at <= clock_timestamp()')).toEqual([]);
    await world.elapse(10.1);
    await until('Ivy is released', async () => (await world.member(ivy))['role_state'] === 'none');
    expect(tries).toBe(0);
    await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
    await until('it was tried', () => tries > 0);
    await world.quiet();
    expect(tries).toBe(1);
    expect(world.done).toEqual([]);
    expect(await world.audited()).toEqual([]);
  });

  it('is replaced by the next one chosen for everyone who is entitled, even if the refusal comes after that', async () => {
    await deleted();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.pace = () => promise;
    const waiting = (which: string) => world.rows(`select 1 from discord_member_roles where ${which}`);
    await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
    await until('one is at Discord', async () => (await waiting('given_at is not null')).length === 1);
    await tell(otherRoleId);
    await choose(otherRoleId);
    await until(
      'the other one is queued',
      async () => (await waiting(`role_id = '${otherRoleId}' and due_at is not null`)).length === 2,
    );
    resolve();
    await until('they have it', () => world.roleHolders.has(gwen) && world.roleHolders.has(hugo));
    await world.quiet();
    expect(world.done.map(({ kind, roleId: role }) => [kind, role])).toEqual([
      ['grant', otherRoleId],
      ['grant', otherRoleId],
    ]);
    expect((await roles.explain(guildId, gwen))?.sentences.at(-1)).toBe('The role is given.');
  });
});
