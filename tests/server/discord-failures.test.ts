import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import {
  guildId,
  roleId,
  type RoleCopy,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Rulings R5, failures of the statistics: what is still to be mended, and nothing that is history. */
let world: RoleWorld;
let roles: RoleCopy;
const [gwen, hugo] = [userOf(1), userOf(2)];
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
  await holding(1, 2);
  await roles.checkNow(guildId, gwen, 'verified');
  await roles.checkNow(guildId, hugo, 'verified');
  await world.rows('delete from discord_actions');
});
afterEach(() => world.end());
const { holding, actions } = memberStories(
  () => world,
  () => roles,
);

const failures = async (): Promise<readonly string[]> => {
  const { body } = (await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics')) as never as {
    body: { data: { failedActions: { kind: string; member: { userId: string } }[] } };
  };
  return body.data.failedActions.map(({ kind, member }) => `${kind} ${member.userId}`);
};
const action = async (given: Record<string, unknown>): Promise<void> => {
  const row = { guild_id: guildId, user_id: gwen, kind: 'grant-role', role_id: roleId, cause: 'sweep', ...given };
  const names = Object.keys(row);
  await world.rows(
    `insert into discord_actions (${names.join()}, done_at) values (${names.map((_name, at) => `$${at + 1}`).join()}, clock_timestamp())`,
    Object.values(row),
  );
};
const failed = { state: 'failed', failure: 'Discord refused it (code 1).', failure_code: 'other' };
const later = "now() + interval '1 hour'";

describe('A failed role change', () => {
  it.each([
    ['nothing', null, true],
    ['the same, done', { state: 'done' }, false],
    ['one that waits for its turn', { state: 'pending' }, false],
    ['one that is being done', { state: 'doing' }, false],
    ['one that waits because Discord refuses', { state: 'pending', failure_code: 'server-refuses' }, true],
    ['one that was dropped', { state: 'dropped' }, true],
    ['a direct message that was sent', { kind: 'direct-message', role_id: null, state: 'done' }, true],
    ['the same of somebody else, done', { user_id: hugo, state: 'done' }, true],
  ])('that is followed by %s: still to be mended is %o', async (_what, newer, isToBeMended) => {
    await action(failed);
    if (newer !== null) await action(newer);
    expect(await failures()).toEqual(isToBeMended ? [`grant-role ${gwen}`] : []);
  });

  it('that failed twice is told once', async () => {
    await action(failed);
    await action(failed);
    expect(await failures()).toEqual([`grant-role ${gwen}`]);
  });

  it.each([
    ['no longer hold', "role_state = 'doubt'"],
    ['have the role by now', 'has_role = true'],
    ['have left the server', 'is_in_guild = false'],
  ])('of those who %s is history', async (_what, now) => {
    await action(failed);
    await world.rows(`update discord_members set ${now}`);
    expect(await failures()).toEqual([]);
  });

  it('that was to give a role which is not the chosen one any more is history', async () => {
    await action({ ...failed, role_id: '700000000000000003' });
    expect(await failures()).toEqual([]);
  });

  it('that was to take a role is history once they hold again', async () => {
    await action({ ...failed, kind: 'remove-role' });
    expect(await failures()).toEqual([]);
    await world.rows("update discord_members set role_state = 'grace', second_no_at = now() where user_id = $1", [
      gwen,
    ]);
    expect(await failures()).toEqual([`remove-role ${gwen}`]);
  });

  it('is over with its reason: what was replaced meanwhile is dropped when Discord lets the bot again', async () => {
    const refused = { failure: 'Drag it above.', failure_code: 'role-too-high' };
    await action({ ...refused, state: 'failed' });
    await action({ ...refused, state: 'pending' });
    await world.rows(`update discord_actions set due_at = ${later} where state = 'pending'`);
    await action({ user_id: hugo, state: 'pending' });
    expect(await failures()).toEqual([`grant-role ${gwen}`]);
    roles.start();
    await until('both have it', () => world.roleHolders.size === 2);
    await until('that is written down', async () => (await world.member(gwen))['has_role'] === true);
    expect((await actions(gwen)).map(({ state }) => state)).toEqual(['dropped', 'done']);
    expect(await failures()).toEqual([]);
  });

  it('of the server is told again when it comes again, although an old one is history', async () => {
    await action({ ...failed, failure_code: 'role-too-high', user_id: hugo });
    await world.rows('update discord_members set has_role = true where user_id = $1', [hugo]);
    world.answer = () => ({ kind: 'refused', code: 'role-too-high', sentence: 'Drag it above.' });
    await action({ state: 'pending' });
    roles.start();
    await until('it is told', async () => (await failures()).includes(`grant-role ${gwen}`));
  });

  it('whose next look is never told to somebody who is not in the server', async () => {
    world.holdings.set(walletOf(1), 'unknown');
    await roles.checkNow(guildId, gwen, 'asked');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).not.toBeNull();
    await world.rows('update discord_members set is_in_guild = false');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).toBeNull();
  });
});
