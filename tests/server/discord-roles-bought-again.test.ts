import { afterEach, beforeEach, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import type { CheckCause } from '../../src/discord/roles/rules/findings.ts';
import { markDue } from '../../src/discord/roles/member-store.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Rulings R5: given back within 60 s of a buy, whatever happens to the role meanwhile. */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const { hold } = memberStories(
  () => world,
  () => roles,
);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
});
afterEach(() => world.end());

const sold = async (): Promise<void> => {
  world.holdings.set(walletOf(1), 0);
  await roles.checkNow(guildId, gwen, 'sold');
  await world.elapse(10.1);
};
/** The node does not know of the purchase yet: checks follow. */
const bought = async (): Promise<void> => {
  await roles.checkNow(guildId, gwen, 'bought');
  world.holdings.set(walletOf(1), 1);
  expect(await world.member(gwen)).toMatchObject({ check_cause: 'bought-2' });
};
const linked = async (): Promise<void> => {
  await world.server();
  await world.link(roles, gwen, [walletOf(1)]);
  await roles.checkNow(guildId, gwen, 'verified');
};
const waiting = "select 1 from discord_member_roles where wanted = 'remove-role' and due_at > clock_timestamp()";
const isGivenBack = async (): Promise<void> => {
  await world.elapse(0.5);
  await until('she has the role again', () => world.roleHolders.has(gwen) && world.done.at(-1)?.kind === 'grant');
};

it('a member who buys while the role is being removed gets it back by the checks after the purchase, not by the next sweep', async () => {
  await world.server();
  await hold(1);
  const underWay = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  world.pace = async () => {
    if (world.done.length === 0) return;
    underWay.resolve();
    await gate.promise;
  };
  await sold();
  await underWay.promise;
  await bought();
  gate.resolve();
  await until('the role is taken', async () => (await world.member(gwen))['role_state'] === 'none');
  await isGivenBack();
});

it('a member who has just bought loses nothing until the checks after the purchase are over', async () => {
  await world.server();
  await hold(1);
  const underWay = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  world.pace = () => {
    underWay.resolve();
    return gate.promise;
  };
  await sold();
  await underWay.promise;
  await bought();
  gate.resolve();
  await until('the removal waits', async () => (await world.rows(waiting)).length === 1);
  await world.elapse(0.3);
  await until('she holds', async () => (await world.member(gwen))['role_state'] === 'holder');
  await world.quiet();
  expect(world.done.map(({ kind }) => kind)).toEqual(['message']);
});

it('repeated requests do not use up the checks after a purchase', async () => {
  await linked();
  await bought();
  world.holdings.set(walletOf(1), 0);
  for (const cause of ['asked', 'verified', 'asked-by-admin'] as const) await roles.checkNow(guildId, gwen, cause);
  world.holdings.set(walletOf(1), 1);
  expect(await world.member(gwen)).toMatchObject({ check_cause: 'bought-2', check_due_at: expect.any(Date) as Date });
  roles.start();
  await isGivenBack();
});

it('other causes leave the checks after a purchase in place, and another trade restarts them', async () => {
  await linked();
  await bought();
  const due = async (cause: CheckCause) => {
    await markDue(typedKysely(world.database.pool), [{ guildId, userId: gwen, cause }]);
    return (await world.member(gwen))['check_cause'];
  };
  expect(await due('sweep')).toBe('bought-1');
  expect(await due('sold')).toBe('sold');
  await world.rows('update discord_members set check_due_at = null');
  expect(await due('authorized')).toBe('authorized');
});

it('a member who buys while many removals are stopped is still checked, and is no longer one of them', async () => {
  await world.server();
  await hold(...Array.from({ length: 12 }, (_none, index) => index + 1));
  await roles.stop();
  for (let number = 1; number <= 12; number += 1) {
    world.holdings.set(walletOf(number), 0);
    await roles.checkNow(guildId, userOf(number), 'sold');
  }
  await world.elapse(10.1);
  for (let number = 1; number <= 12; number += 1) await roles.checkNow(guildId, userOf(number), 'asked');
  await bought();
  roles.start();
  await until('they are stopped', async () => (await world.member(userOf(12)))['role_state'] === 'braked');
  await world.elapse(0.5);
  await until('she holds', async () => (await world.member(gwen))['role_state'] === 'holder');
});
