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
const { holding, rolesOf } = memberStories(
  () => world,
  () => roles,
);

const statistics = async (): Promise<StatisticsAnswer['data']> => {
  const answer = await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics');
  return (answer as never as { readonly body: StatisticsAnswer }).body.data;
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

  it('of the server is told again when it comes again, although an old one is history', async () => {
    await world.rows(
      `update discord_member_roles set due_at = clock_timestamp() + interval '1 hour', failure = 'Drag it above.'
       where user_id = $1`,
      [hugo],
    );
    await world.rows('update discord_members set has_role = true where user_id = $1', [hugo]);
    world.answer = () => tooHigh;
    roles.start();
    await until('it is told', async () => (await failures()).includes(`grant-role ${gwen}`));
  });

  it('makes the server wait, also when a member comes or goes in that moment', async () => {
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
  ])('is none while Discord %s: the whole server waits after one try, and says why', async (_what, answer, reason) => {
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
  });

  it('of the server is told, although the same is wrong with a role of before that a deletion owes', async () => {
    await world.rows(
      `insert into discord_member_roles (guild_id, user_id, role_id, given_at, wanted, cause, failure)
       values ($1, '7', '7', now(), 'remove-role', 'data-deleted', $2)`,
      [guildId, tooHigh.sentence],
    );
    world.answer = () => tooHigh;
    roles.start();
    await until('both are told', async () => (await failures()).length === 2);
  });

  it('is no role that the bot gave, where it is not the one that runs', async () => {
    world.answer = () => new Unavailable(otherBotReason, 'Another bot runs.');
    roles.start();
    await until('the server waits', isPaused);
    expect([await rolesOf(gwen), await rolesOf(hugo)]).toMatchObject([[{ is_given: false }], [{ is_given: false }]]);
  });

  it('leaves nothing of a role that the bot has never given, once it is not wanted', async () => {
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
    await until('it is begun', () => isBegun);
  };

  it.each<[string, PlatformOutcome | Error]>([
    ['refused', { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' }],
    ['put off by a limit', { kind: 'limited', retryAfterMs: 60_000 }],
    ['of a server of another bot', new Unavailable(otherBotReason, 'Another bot runs.')],
  ])('that is %s leaves known that the member has the role', async (_what, answer) => {
    await whileRemoved(async () => {
      world.answer = () => answer;
    });
    await until('it is known', async () => (await world.member(gwen))['has_role'] === true);
    expect(await rolesOf(gwen)).toMatchObject([{ wanted: 'remove-role', is_given: true }]);
  });

  it.each([
    ['the brake stopped', "role_state = 'braked'", 'wanted = null, due_at = null'],
    ['somebody wanted anew', "role_state = 'grace'", "due_at = clock_timestamp() + interval '1 hour'"],
  ])('that %s while Discord did it is counted and in the log', async (_what, member, role) => {
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
