import { afterEach, beforeEach, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { enqueueNotices } from '../../src/discord/roles/direct-messages.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { rowHolder } from '../support/row-holder.ts';
import { until } from '../support/until.ts';

/** Rulings R5: a grant that waited too long is checked again, and a removal waits only so long for its message. */
let world: RoleWorld;
let roles: RoleCopy;
/** Until it resolves, a sweep that waits for it is under way. */
let ownerTable: PromiseWithResolvers<void>;
const gwen = userOf(1);
beforeEach(async () => {
  ownerTable = Promise.withResolvers();
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
  world.holdings.set(walletOf(1), 1);
});
afterEach(() => {
  ownerTable.resolve();
  return world.end();
});

const isPutOff = async (): Promise<boolean> =>
  (await world.rows('select 1 from discord_member_roles where due_at > clock_timestamp()')).length > 0;
const waitsBehindALimit = async (): Promise<void> => {
  await world.link(roles, gwen, [walletOf(1)]);
  world.answer = () => ({ kind: 'limited', retryAfterMs: 5_000 });
  roles.start();
  await until('the grant waits', isPutOff);
  await roles.stop();
  world.answer = () => undefined;
};
const putOffSweep = () =>
  world.rows("update discord_guild_configs set sweep_due_at = clock_timestamp() + interval '1 hour'");

it.each([
  ['has sold, while a sweep is under way', 0, true],
  ['has sold, between two sweeps', 0, false],
  ['still holds, while a sweep is under way', 1, true],
])(
  'a role that waited for two days is given only after a check of its own: a member who %s',
  async (_what, pieces, isSweepDue) => {
    await waitsBehindALimit();
    world.holdings.set(walletOf(1), pieces);
    await world.elapse(2 * 24 * 60);
    if (!isSweepDue) await putOffSweep();
    const reads = world.holdings.singleReads.length;
    const { ownership } = world.holdings;
    const readWallets: typeof ownership.readWallets = async (...asked) => {
      await ownerTable.promise;
      return ownership.readWallets(...asked);
    };
    roles = world.copy({ ownership: { ...ownership, readWallets } });
    roles.start();
    await until('the grant is decided', async () => {
      return (await world.rows('select 1 from discord_member_roles where wanted is not null')).length === 0;
    });
    expect(world.holdings.singleReads.length).toBeGreaterThan(reads);
    expect(world.roleHolders.has(gwen)).toBe(pieces > 0);
  },
);

it('a role that waited too long keeps waiting while the chain cannot be read, and is given once it can', async () => {
  await waitsBehindALimit();
  await world.elapse(6);
  await putOffSweep();
  world.holdings.isOut = true;
  roles = world.copy();
  roles.start();
  await until('it was checked', async () => (await world.member(gwen))['answer'] === 'unknown');
  await until('the grant waits', isPutOff);
  expect(world.done).toEqual([]);
  world.holdings.isOut = false;
  await world.elapse(1);
  await until('it is read again', async () => (await world.member(gwen))['answer'] === 'holds');
  await world.elapse(1);
  await until('the role is given', () => world.roleHolders.has(gwen));
});

it('a role that is given at once costs no second check', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  expect(world.holdings.singleReads).toEqual([walletOf(1)]);
});

it('a direct message that fails for minutes holds back no removal, and /why says that it did not arrive', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  await world.quiet();
  let tries = 0;
  world.answer = ({ kind }) => {
    if (kind !== 'message') return undefined;
    tries += 1;
    return new Unavailable('upstream-error', 'Discord failed.');
  };
  world.holdings.set(walletOf(1), 0);
  await roles.checkNow(guildId, gwen, 'due');
  await world.elapse(11);
  await until('it is tried', () => tries > 0);
  await world.elapse(1);
  await until('it is tried again', () => tries > 1);
  expect(world.roleHolders.has(gwen)).toBe(true);
  await world.elapse(6);
  await until('the role is taken', () => !world.roleHolders.has(gwen));
  await until('the removal is stored', async () => (await world.member(gwen))['has_role'] === false);
  expect((await roles.explain(guildId, gwen))?.sentences.join(' ')).toContain('did not reach you: Discord could not');
});

it('a direct message that Discord limits for days holds back a removal no longer than one that fails', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  await world.quiet();
  let tries = 0;
  world.answer = ({ kind }) => {
    if (kind !== 'message') return undefined;
    tries += 1;
    return { kind: 'limited', retryAfterMs: 7 * 24 * 3_600_000 };
  };
  world.holdings.set(walletOf(1), 0);
  await roles.checkNow(guildId, gwen, 'due');
  await world.elapse(11);
  await until('it is tried', () => tries > 0);
  await world.elapse(4);
  expect([tries, world.roleHolders.has(gwen)]).toEqual([1, true]);
  await world.elapse(2);
  await until('the role is taken', () => !world.roleHolders.has(gwen), 20_000);
  expect(tries).toBe(2);
});

it('a member whose wallet the team has authorized meanwhile is not told that the role ends', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  await world.quiet();
  await world.rows(`update discord_members set role_state = 'grace', answer = 'does-not-hold', second_no_at = now(),
    removal_due_at = now() + interval '1 hour', check_due_at = null`);
  await world.rows(
    "insert into discord_authorized_wallets (guild_id, wallet, reason, added_by) values ($1, $2, 'artist', 'chief')",
    [guildId, walletOf(1)],
  );
  await enqueueNotices(typedKysely(world.database.pool), guildId, [gwen], 'Your role ends');
  const waiting = 'select 1 from discord_direct_messages where due_at is not null';
  await until('no message waits', async () => (await world.rows(waiting)).length === 0);
  expect(world.done.map(({ kind }) => kind)).toEqual(['grant']);
});

it('a sweep waits for a member whom another transaction is changing', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  await world.quiet();
  const holder = await rowHolder(world.database.pool);
  await holder.hold('discord_members', 'user_id = $1', [gwen]);
  world.holdings.set(walletOf(1), 0);
  await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
  await holder.isWaitedFor();
  await holder.end();
  await until('she is checked', async () => (await world.member(gwen))['role_state'] === 'doubt');
});
