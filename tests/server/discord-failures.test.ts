import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';

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
});
afterEach(() => world.end());
const { holding } = memberStories(
  () => world,
  () => roles,
);

const failures = async (): Promise<readonly string[]> => {
  const { body } = (await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics')) as never as {
    body: { data: { failedActions: { kind: string; member: { userId: string } }[] } };
  };
  return body.data.failedActions.map(({ kind, member }) => `${kind} ${member.userId}`);
};
const fails = (wanted = 'grant-role') =>
  world.rows(
    "update discord_member_roles set wanted = $1, due_at = null, failure = 'Discord refused it (code 1).' where user_id = $2",
    [wanted, gwen],
  );

describe('A failed role change', () => {
  it('is to be mended until it is wanted anew', async () => {
    await fails();
    expect(await failures()).toEqual([`grant-role ${gwen}`]);
    await roles.checkNow(guildId, gwen, 'asked');
    expect(await failures()).toEqual([]);
  });

  it.each([
    ['no longer hold', "role_state = 'doubt', has_role = true"],
    ['have the role by now', 'has_role = true'],
    ['have left the server', 'is_in_guild = false'],
  ])('of those who %s is history', async (_what, now) => {
    await fails();
    await world.rows(`update discord_members set ${now}`);
    expect(await failures()).toEqual([]);
  });

  it('that was to give a role which is not the chosen one any more is history', async () => {
    await fails();
    await world.rows("update discord_guild_configs set role_id = '700000000000000003'");
    expect(await failures()).toEqual([]);
  });

  it('that was to take a role is history once they hold again', async () => {
    await world.rows(
      "update discord_members set role_state = 'grace', second_no_at = now(), has_role = true where user_id = $1",
      [gwen],
    );
    await fails('remove-role');
    expect(await failures()).toEqual([`remove-role ${gwen}`]);
    await roles.checkNow(guildId, gwen, 'asked');
    expect(await failures()).toEqual([]);
  });

  it('whose next look is never told to somebody who is not in the server', async () => {
    world.holdings.set(walletOf(1), 'unknown');
    await roles.checkNow(guildId, gwen, 'asked');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).not.toBeNull();
    await world.rows('update discord_members set is_in_guild = false');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).toBeNull();
  });
});
