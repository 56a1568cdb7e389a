import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { otherBotReason } from '../../src/discord/bot.ts';
import type { StatisticsAnswer } from '../../src/discord/members-contract.ts';
import type { PlatformOutcome } from '../../src/discord/ports.ts';
import { saveGuild } from '../../src/discord/servers/guild-register.ts';
import { Unavailable } from '../../src/shared/failure.ts';
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

/** Rulings R5, failures in the statistics: only those that still need a fix. */
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
const { holding, rolesOf } = memberStories(
  () => world,
  () => roles,
);

const statistics = async (): Promise<StatisticsAnswer> => {
  const answer = await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics');
  return (answer as never as { readonly body: { readonly data: StatisticsAnswer } }).body.data;
};
const failures = async (): Promise<readonly string[]> =>
  (await statistics()).failedActions.map(({ kind, member }) => `${kind} ${member.userId}`);
const fails = (wanted = 'grant-role') =>
  world.rows(
    `update discord_member_roles set wanted = $1, due_at = clock_timestamp() + interval '1 hour',
       failure = 'Discord refused it (code 1).' where user_id = $2`,
    [wanted, gwen],
  );

const tooHigh = { kind: 'refused', code: 'missing-permission', sentence: 'Drag it above.' } as const;
const isPaused = async (): Promise<boolean> =>
  (await world.rows('select 1 from discord_guilds where roles_paused_until > clock_timestamp()')).length === 1;

describe('A failed role change', () => {
  it('is counted, however many there are, and the latest are listed', async () => {
    await world.rows(
      `insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, failure)
       select $1, n::text, '7', 'remove-role', 'data-deleted', 'Drag it above.' from generate_series(1, 60) n`,
      [guildId],
    );
    const { failedActionCount, failedActions } = await statistics();
    expect([failedActionCount, failedActions.length]).toEqual([60, 50]);
  });

  it('is listed until the change is requested again', async () => {
    await fails();
    expect(await failures()).toEqual([`grant-role ${gwen}`]);
    await roles.checkNow(guildId, gwen, 'asked');
    expect(await failures()).toEqual([]);
  });

  it.each([
    ['no longer hold', "role_state = 'doubt', has_role = true"],
    ['have the role by now', 'has_role = true'],
    ['have left the server', 'is_in_guild = false'],
  ])('is no longer listed for members who %s', async (_what, now) => {
    await fails();
    await world.rows(`update discord_members set ${now}`);
    expect(await failures()).toEqual([]);
  });

  it('is no longer listed if it was a grant of a role that is no longer the chosen one', async () => {
    await fails();
    await world.rows("update discord_guild_configs set role_id = '700000000000000003'");
    expect(await failures()).toEqual([]);
  });

  it('is no longer listed if it was a removal and the member holds again', async () => {
    await world.rows(
      "update discord_members set role_state = 'grace', second_no_at = now(), has_role = true where user_id = $1",
      [gwen],
    );
    await fails('remove-role');
    expect(await failures()).toEqual([`remove-role ${gwen}`]);
    await roles.checkNow(guildId, gwen, 'asked');
    expect(await failures()).toEqual([]);
  });

  it('shows no next check for a member who is not in the server', async () => {
    world.holdings.set(walletOf(1), 'unknown');
    await roles.checkNow(guildId, gwen, 'asked');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).not.toBeNull();
    await world.rows('update discord_members set is_in_guild = false');
    expect((await roles.explain(guildId, gwen))?.nextCheckAt).toBeNull();
  });

  it('of the whole server is listed again when it recurs, although an old one is no longer listed', async () => {
    await world.rows(
      `update discord_member_roles set due_at = clock_timestamp() + interval '1 hour', failure = 'Drag it above.'
       where user_id = $1`,
      [hugo],
    );
    await world.rows('update discord_members set has_role = true where user_id = $1', [hugo]);
    world.answer = () => tooHigh;
    roles.start();
    await until('it is reported', async () => (await failures()).includes(`grant-role ${gwen}`));
  });

  it('pauses the server, even if a member joins or leaves at that moment', async () => {
    const described = { guildId, name: 'Rock Mountain', memberCount: 4, channels: [] };
    const role = { id: roleId, name: 'Rock Holder', position: 2, isManaged: false };
    const may = { roles: [role], botPermissions: '268435456', botTopPosition: 5 };
    const database = typedKysely(world.database.pool);
    world.pace = async () => {
      await database.transaction().execute((trx) => saveGuild(trx, { ...described, ...may }));
    };
    world.answer = () => tooHigh;
    roles.start();
    await until('it is refused', async () => (await failures()).length === 1);
    await until('the server waits', isPaused);
  });

  it.each([
    ['does not answer', new Unavailable('timeout', 'No answer.'), 'Discord does not answer right now'],
    ['asks for a pause', { kind: 'limited', retryAfterMs: 20_000 } as const, null],
  ])(
    'is not listed while Discord %s: the whole server waits after one attempt, and says why',
    async (_what, answer, reason) => {
      let tries = 0;
      world.answer = () => {
        tries += 1;
        return answer;
      };
      roles.start();
      await until('the server waits', isPaused);
      await world.quiet();
      expect(tries).toBe(1);
      expect(await failures()).toEqual([]);
      const { pauseReason } = await statistics();
      expect(pauseReason).toEqual(reason === null ? null : expect.stringContaining(reason));
      world.answer = () => undefined;
      await roles.guildChanged(guildId);
      await until('the other one has it at once', () => world.roleHolders.size > 0);
      expect((await statistics()).pauseReason).toBeNull();
      await world.elapse(0.4);
      await until('both have it', () => world.roleHolders.size === 2);
    },
  );

  it('of the whole server is listed, although a removal of an earlier role after a deletion fails for the same reason', async () => {
    await world.rows(
      `insert into discord_member_roles (guild_id, user_id, role_id, given_at, wanted, cause, failure)
       values ($1, '7', '7', now(), 'remove-role', 'data-deleted', $2)`,
      [guildId, tooHigh.sentence],
    );
    world.answer = () => tooHigh;
    roles.start();
    await until('both are listed', async () => (await failures()).length === 2);
  });

  it('does not count as a role that the bot gave if a different bot is running', async () => {
    world.answer = () => new Unavailable(otherBotReason, 'Another bot runs.');
    roles.start();
    await until('the server waits', isPaused);
    expect([await rolesOf(gwen), await rolesOf(hugo)]).toMatchObject([[{ is_given: false }], [{ is_given: false }]]);
  });

  it('leaves no row for a role that the bot never gave, once it is no longer wanted', async () => {
    world.answer = () => ({ kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' });
    roles.start();
    await until('it is refused', async () => (await failures()).length === 2);
    expect(await rolesOf(gwen)).toMatchObject([{ is_given: false }]);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    expect(await rolesOf(gwen)).toEqual([]);
  });
});

describe('A removal', () => {
  const whileRemoved = async (then: () => Promise<unknown>): Promise<void> => {
    roles.start();
    await until('they have it', () => world.roleHolders.size === 2);
    await world.quiet();
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    let isBegun = false;
    world.pace = async () => {
      if (isBegun || (await world.member(gwen))['has_role'] !== null) return;
      isBegun = true;
      await then();
    };
    await world.elapse(10.1);
    await until('it has begun', () => isBegun);
  };

  it.each<[string, PlatformOutcome | Error]>([
    ['refused', { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' }],
    ['put off by a limit', { kind: 'limited', retryAfterMs: 60_000 }],
    ['for a server of another bot', new Unavailable(otherBotReason, 'Another bot runs.')],
  ])('that is %s keeps the record that the member has the role', async (_what, answer) => {
    await whileRemoved(async () => {
      world.answer = () => answer;
    });
    await until('it is known', async () => (await world.member(gwen))['has_role'] === true);
    expect(await rolesOf(gwen)).toMatchObject([{ wanted: 'remove-role', is_given: true }]);
  });

  it.each([
    ['was stopped by the brake', "role_state = 'braked'", 'wanted = null, due_at = null'],
    ['was requested again', "role_state = 'grace'", "due_at = clock_timestamp() + interval '1 hour'"],
  ])('that %s while Discord made it is counted and logged', async (_what, member, role) => {
    await whileRemoved(async () => {
      await world.rows(`update discord_members set ${member} where user_id = $1`, [gwen]);
      await world.rows(`update discord_member_roles set ${role} where user_id = $1`, [gwen]);
    });
    await until('it is known', async () => (await world.member(gwen))['has_role'] === false);
    expect((await world.member(gwen))['role_taken_at']).not.toBeNull();
    expect(await world.audited()).toContain('discord-role-taken');
    expect((await rolesOf(gwen)).filter((row) => row['is_given'])).toEqual([]);
  });
});
