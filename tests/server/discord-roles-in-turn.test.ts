import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createGuildMemberStore } from '../../src/discord/servers/guild-member-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
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

/** Members who hold have the role, even if Discord hangs and makes a removal after it was given up (rulings R5). */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const { settle } = roleStories(() => world);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const seen = (roleIds: readonly string[]) =>
  createGuildMemberStore(typedKysely(world.database.pool)).seen(guildId, [
    { userId: gwen, displayName: 'Gwen', roleIds },
  ]);
/** Gwen has the role, and two checks found nothing: the removal is decided next. */
const leaving = async (): Promise<void> => {
  await settle(1, guildId, 1);
  world.roleHolders.add(gwen);
  world.holdings.set(walletOf(1), 0);
  await roles.checkNow(guildId, gwen, 'sold');
  await world.elapse(10.1);
};

describe('Role changes of one server', () => {
  it('are sent to Discord one at a time, however many copies run', async () => {
    let [now, most] = [0, 0];
    world.pace = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      await world.rows('select 1');
      now -= 1;
    };
    for (let number = 1; number <= 12; number += 1) {
      world.holdings.set(walletOf(number), 1);
      await world.link(roles, userOf(number), [walletOf(number)]);
    }
    roles.start();
    world.copy().start();
    await until('all have it', () => world.roleHolders.size === 12);
    expect(most).toBe(1);
  });

  it('are ended when Discord does not answer, and no copy starts them a second time meanwhile', async () => {
    world.holdings.set(walletOf(1), 1);
    await world.link(roles, gwen, [walletOf(1)]);
    let [calls, isOver] = [0, false];
    world.pace = async (stop) => {
      calls += 1;
      await until('it is to end', () => stop?.aborted === true, 20_000);
      isOver = true;
    };
    roles.start();
    world.copy().start();
    await until('it was given up', () => isOver);
    expect(calls).toBe(1);
  });
});

describe('A member who holds and does not have the role', () => {
  it('gets it back when a slow removal takes effect after another copy has given the role', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isRemoving = false;
    const slow = world.copy({
      platform: {
        grantRole: async () => ({ kind: 'done' }),
        sendDirectMessage: async () => ({ kind: 'done' }),
        removeRole: async () => {
          isRemoving = true;
          await promise;
          world.roleHolders.delete(gwen);
          return { kind: 'done' };
        },
      },
    });
    await leaving();
    slow.start();
    await until('it is being removed', () => isRemoving);
    const stopping = slow.stop();
    world.holdings.set(walletOf(1), 1);
    await roles.checkNow(guildId, gwen, 'bought');
    roles.start();
    await until('another copy gives it', () => world.done.length > 0);
    await world.quiet();
    resolve();
    await stopping;
    await until('the role was gone and is back', () => world.roleHolders.has(gwen) && world.done.length > 1, 5_000);
  });

  it('gets it back when the answer to a removal was lost and they hold again', async () => {
    let isLost = false;
    world.answer = ({ kind, userId }) => {
      if (kind !== 'remove') return undefined;
      world.roleHolders.delete(userId);
      world.holdings.set(walletOf(1), 1);
      isLost = true;
      return new Unavailable('timeout', 'Discord did not answer in time');
    };
    await leaving();
    roles.start();
    await until('the answer is lost', () => isLost);
    await until('it is put off', async () => {
      return (await world.rows('select 1 from discord_guilds where roles_unanswered_since is not null')).length === 1;
    });
    await roles.checkNow(guildId, gwen, 'bought');
    // The pause after a lost answer.
    await world.elapse(0.4);
    await until('she has it back', () => world.roleHolders.has(gwen), 5_000);
  });

  it('is checked when Discord reports it, at most once in ten minutes', async () => {
    await settle(1, guildId, 1);
    roles.start();
    await seen([]);
    await until('she has it back', () => world.roleHolders.has(gwen), 5_000);
    await until('that is known', async () => (await world.member(gwen))['has_role'] === true);
    world.roleHolders.clear();
    await seen([]);
    const [row] = await world.rows(
      `select check_cause, extract(epoch from check_due_at - clock_timestamp())::int as seconds from discord_members`,
    );
    expect(row).toMatchObject({ check_cause: 'role-missing' });
    expect(Number(row?.['seconds'])).toBeGreaterThan(590);
    await world.elapse(10.1);
    await until('she has it back again', () => world.roleHolders.has(gwen), 5_000);
    await seen([roleId]);
    expect((await world.member(gwen))['check_due_at']).toBeNull();
  });

  it('is checked at once for a role chosen a moment after the bot gave the one before', async () => {
    await settle(1, guildId, 1);
    roles.start();
    await seen([]);
    await until('she has the first one', async () => (await world.member(gwen))['has_role'] === true);
    const other = '700000000000000003';
    await world.rows(`update discord_guilds set roles = jsonb_build_array(jsonb_build_object('id', $1::text))`, [
      other,
    ]);
    await world.rows('update discord_guild_configs set role_id = $1', [other]);
    await seen([roleId]);
    await until('she gets the other one', () => world.done.at(-1)?.roleId === other, 5_000);
  });
});
