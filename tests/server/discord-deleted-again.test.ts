import { afterEach, beforeEach, expect, it } from 'vitest';

import type { PlatformOutcome } from '../../src/discord/ports.ts';
import { testDatabase } from '../support/database.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** 'Delete my data', a wallet linked again, and 'Delete my data' once more, before the first removal of the role is done. */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const asGwen = { kind: 'discord', userId: gwen, name: 'Granite Gwen' } as const;
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
  world.holdings.set(walletOf(1), 1);
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('she has the role', () => world.roleHolders.has(gwen));
  await world.quiet();
});
afterEach(() => world.end());

const removalIs = (state: string) =>
  until(`the removal is ${state}`, async () => {
    const is = state === 'refused' ? 'failure is not null' : 'due_at > clock_timestamp()';
    return (await world.rows(`select 1 from discord_member_roles where cause = 'data-deleted' and ${is}`)).length === 1;
  });
const isDeletedWhile = async (state: string, answer: PlatformOutcome): Promise<void> => {
  world.answer = ({ kind }) => (kind === 'remove' ? answer : undefined);
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  await removalIs(state);
};
const isGone = async (): Promise<void> => {
  await until('the role is gone', () => !world.roleHolders.has(gwen));
  await until('no row about her is left', async () => {
    return (
      (
        await world.rows(
          'select 1 from discord_member_roles where user_id = $1 union all select 1 from discord_direct_messages where user_id = $1',
          [gwen],
        )
      ).length === 0
    );
  });
};
const limited = { kind: 'limited', retryAfterMs: 1_000 } as const;

it('a removal that waits for Discord’s limit is still made when an empty wallet was linked and deleted meanwhile', async () => {
  await isDeletedWhile('put off', limited);
  await world.link(roles, gwen, [walletOf(9)]);
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  world.answer = () => undefined;
  await isGone();
});

it('a removal that waits for Discord’s limit is still made when the wallet linked meanwhile could not be read', async () => {
  await isDeletedWhile('put off', limited);
  world.holdings.isOut = true;
  await world.link(roles, gwen, [walletOf(1)]);
  expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
  world.answer = () => undefined;
  await isGone();
});

it.each(['missing-permission', 'other'] as const)(
  'a removal that Discord refused (%s) stays listed as failed after that, and is made when it is tried again',
  async (code) => {
    await isDeletedWhile('refused', { kind: 'refused', code, sentence: 'Discord refused it.' });
    await world.link(roles, gwen, [walletOf(9)]);
    expect(await roles.deleteMember(guildId, gwen, asGwen)).toBe(true);
    await removalIs('refused');
    const { body } = (await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics')) as {
      readonly body: { readonly data: { readonly failedActions: readonly unknown[] } };
    };
    expect(body.data.failedActions).toHaveLength(1);
    world.answer = () => undefined;
    await world.elapse(code === 'missing-permission' ? 5.1 : 60.1);
    await isGone();
  },
);

it('a removal after a deletion stays pending for 90 days from the deletion, however often it is tried', async () => {
  await isDeletedWhile('refused', { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' });
  const owed = () => world.rows("select id, changed_at from discord_member_roles where cause = 'data-deleted'");
  const [before] = await owed();
  const sentence = 'Discord refused it (code 2).';
  world.answer = () => ({ kind: 'refused', code: 'other', sentence });
  await world.rows('update discord_member_roles set due_at = clock_timestamp()');
  await until('it is refused again', async () => {
    return (await world.rows('select 1 from discord_member_roles where failure = $1', [sentence])).length === 1;
  });
  expect(await owed()).toEqual([before]);
});

it('the role of a member who is back and in doubt is removed only after the second check', async () => {
  await isDeletedWhile('put off', { kind: 'limited', retryAfterMs: 60_000 });
  await world.link(roles, gwen, [walletOf(1)]);
  await roles.memberRoleSeen(guildId, gwen, true);
  expect(await roles.checkNow(guildId, gwen, 'verified')).toMatchObject({ roleState: 'holder' });
  world.holdings.set(walletOf(1), 0);
  expect(await roles.checkNow(guildId, gwen, 'sold')).toMatchObject({ roleState: 'doubt' });
  world.answer = () => undefined;
  await world.elapse(1.1);
  await until('no removal is pending any more', async () => {
    return (await world.rows('select 1 from discord_member_roles where wanted is not null')).length === 0;
  });
  expect(world.roleHolders.has(gwen)).toBe(true);
  await world.elapse(10.1);
  await until('the role is gone', () => !world.roleHolders.has(gwen));
});
