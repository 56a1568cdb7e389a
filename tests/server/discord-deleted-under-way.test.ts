import { afterEach, beforeEach, expect, it } from 'vitest';

import { Unavailable } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** 'Delete my data' while something else is being done for the member: the role is removed, and no row about them stays. */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const asGwen = { kind: 'discord', userId: gwen, name: 'Granite Gwen' } as const;
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
});
afterEach(() => world.end());

const getsTheRole = async (): Promise<void> => {
  world.holdings.set(walletOf(1), 1);
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('she has the role', () => world.roleHolders.has(gwen));
  await world.quiet();
};
const sells = async (): Promise<void> => {
  world.holdings.set(walletOf(1), 0);
  await roles.checkNow(guildId, gwen, 'due');
  await world.elapse(11);
};
const removalIsBegun = async (): Promise<boolean> =>
  (await world.rows("select 1 from discord_members where has_role is null and role_state = 'grace'")).length > 0;
const nothingIsLeft = () =>
  until('no row about her is left', async () => {
    return (
      (
        await world.rows(
          'select 1 from discord_member_roles where user_id = $1 union all select 1 from discord_direct_messages where user_id = $1',
          [gwen],
        )
      ).length === 0
    );
  });

/** Blocks Discord from the moment a call of that kind is running. */
const holdCall = (isUnderWay: () => Promise<boolean>) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  world.pace = async () => {
    if (isHeld || !(await isUnderWay())) return;
    isHeld = true;
    await promise;
  };
  return { release: resolve, isHeld: () => isHeld };
};

it.each([
  ['fails at first', 1],
  ['succeeds', 0],
])(
  'data deleted during a removal after a sale that %s: the role is removed, and every row deleted',
  async (_how, failures) => {
    await world.server();
    await getsTheRole();
    let failing = failures;
    world.answer = ({ kind }) =>
      kind === 'remove' && failing-- > 0 ? new Unavailable('timeout', 'Discord does not answer.') : undefined;
    const call = holdCall(removalIsBegun);
    await sells();
    await until('the removal is at Discord', call.isHeld);
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
    call.release();
    await until('the role is gone', () => !world.roleHolders.has(gwen));
    await nothingIsLeft();
  },
);

it.each([
  ['gone', false],
  ['linked again with an empty wallet', true],
])('data deleted during the check before a removal: a member who is %s then loses the role', async (_state, isBack) => {
  await world.server({ graceMinutes: 60 });
  await getsTheRole();
  await sells();
  await until('the grace has begun', async () => (await world.member(gwen))['removal_due_at'] !== null);
  await world.quiet();
  await roles.stop();
  await world.elapse(61);
  // A check after the end of the grace said 'no' a while ago.
  await world.rows(
    "update discord_members set answered_at = removal_due_at + interval '1 second', check_due_at = null",
  );
  await world.elapse(3);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.holdings.gate = promise;
  const reads = world.holdings.singleReads.length;
  roles.start();
  await until('the check before the removal is running', () => {
    return world.holdings.singleReads.length > reads;
  });
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  if (isBack) await world.link(roles, gwen, [walletOf(9)]);
  resolve();
  await until('the role is gone', () => !world.roleHolders.has(gwen));
  if (!isBack) await nothingIsLeft();
});

it('data deleted by a member whose leaving was missed: no row about them is left', async () => {
  await world.server();
  await getsTheRole();
  const left = { kind: 'refused', code: 'unknown-member', sentence: 'The member has left the server.' } as const;
  let isAsked = false;
  world.answer = ({ kind }) => {
    isAsked ||= kind === 'remove';
    return kind === 'remove' ? left : undefined;
  };
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  await until('Discord was asked', () => isAsked);
  await nothingIsLeft();
});

it('data deleted while a direct message is being sent: its text is deleted as soon as that is over', async () => {
  await world.server({ graceMinutes: 60 });
  await getsTheRole();
  const call = holdCall(async () => true);
  await sells();
  await until('the message is at Discord', call.isHeld);
  world.roleHolders.delete(gwen);
  await roles.memberRoleSeen(guildId, gwen, false);
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  call.release();
  await nothingIsLeft();
});
