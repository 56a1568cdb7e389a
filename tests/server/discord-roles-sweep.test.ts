import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { transact } from '../../src/db/transaction.ts';
import { reconfigure } from '../../src/discord/servers/configuring.ts';
import { type Child, startChild } from '../support/child.ts';
import { testDatabase } from '../support/database.ts';
import {
  guildId,
  otherType,
  rockType,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';
import { roleStories } from '../support/role-stories.ts';
import { until } from '../support/until.ts';

/** Rulings R5: the sweep is the backstop; an outage changes nothing, and a copy that dies leaves nothing half done. */
let world: RoleWorld;
const { settle, sweepNow, lastSweep, roleStates } = roleStories(() => world);
const children: Child[] = [];
beforeEach(async () => void (world = await startRoleWorld(await testDatabase())));
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
  await world.end();
});

const guildOf = (number: number): string => `70000000000000010${number}`;
describe('The sweep', () => {
  it('reads all servers of one collection from one table, and finds who sold and who bought', async () => {
    for (const number of [1, 2]) {
      await world.server({ guildId: guildOf(number) });
      await settle(20, guildOf(number), number * 100);
    }
    await world.server({ guildId: guildOf(3), nftType: otherType });
    world.holdings.set(walletOf(100), 0);
    await world.rows("update discord_members set role_state = 'none', has_role = false where user_id = $1", [
      userOf(201),
    ]);
    const roles = world.copy();
    await sweepNow();
    roles.start();
    await until('all are swept', async () =>
      (await Promise.all([1, 2, 3].map((number) => lastSweep(guildOf(number))))).every((found) => found !== null),
    );
    expect(world.holdings.tableReads.toSorted((a, b) => a - b)).toEqual([0, 40]);
    expect(world.holdings.singleReads).toEqual([]);
    expect(await lastSweep(guildOf(1))).toMatchObject({
      checked: 20,
      holding: 19,
      notHolding: 1,
      unknown: 0,
      failure: null,
    });
    expect(await world.member(userOf(100), guildOf(1))).toMatchObject({ role_state: 'doubt' });
    await until('the buyer has the role', () => world.roleHolders.has(userOf(201)));
    expect(world.done).toHaveLength(1);
  });

  it('an outage changes nobody and is named, and the sweep is tried again after 30 seconds', async () => {
    await world.server();
    await settle(30);
    await world.rows(
      "update discord_members set role_state = 'doubt', first_no_at = clock_timestamp() - interval '9 minutes' where user_id = $1",
      [userOf(3)],
    );
    const before = await world.rows('select * from discord_members order by user_id');
    world.holdings.isOut = true;
    const roles = world.copy();
    await sweepNow();
    roles.start();
    await until('it was tried', async () => (await lastSweep())?.['failure'] === 'node-unavailable');
    expect(await world.rows('select * from discord_members order by user_id')).toEqual(before);
    const pauseMs = async (): Promise<number> => {
      const [row] = await world.rows(
        'select extract(epoch from sweep_due_at - last_sweep_at)::float8 * 1000 as ms from discord_guild_configs',
      );
      return Math.round(Number(row?.['ms']) / 1_000) * 1_000;
    };
    expect(await pauseMs()).toBe(30_000);
    world.holdings.isOut = false;
    await sweepNow();
    await until('it succeeded', async () => (await lastSweep())?.['failure'] === null);
    expect(await lastSweep()).toMatchObject({ holding: 30, failure: null });
    expect(await roleStates()).toEqual({ holder: 30 });
    expect(world.done).toEqual([]);
  });

  it.each([
    ['some', 3],
    ['all', 4],
  ])(
    'names the missing key when %s of the wallets could not be read without it, and waits for the next hour',
    async (_, lost) => {
      await world.server();
      await settle(4);
      for (let number = 1; number <= lost; number += 1) world.holdings.set(walletOf(number - 1), 'unknown');
      const { ownership } = world.holdings;
      const reason = 'marketplace-key-missing';
      const readWallets: typeof ownership.readWallets = async (...asked) => {
        const answers = await ownership.readWallets(...asked);
        return new Map(
          [...answers].map(([wallet, each]) => [wallet, each.kind === 'unknown' ? { ...each, reason } : each]),
        );
      };
      const roles = world.copy({ ownership: { ...ownership, readWallets } });
      await sweepNow();
      roles.start();
      await until('it is swept', async () => (await lastSweep()) !== null);
      expect(await lastSweep()).toMatchObject({ failure: reason, unknown: lost });
      expect(
        await world.rows(`select extract(epoch from sweep_due_at - last_sweep_at)::int as s,
      (select count(*)::int from discord_members where check_due_at is not null) as due from discord_guild_configs`),
      ).toEqual([{ s: 3_600, due: 0 }]);
      expect(await roleStates()).toEqual({ holder: 4 });
    },
  );

  it('one wallet that cannot be read leaves its member unchanged, and the others are decided', async () => {
    await world.server();
    await settle(5);
    world.holdings.set(walletOf(1), 'unknown');
    world.holdings.set(walletOf(2), 0);
    const roles = world.copy();
    await sweepNow();
    roles.start();
    await until('it is swept', async () => (await lastSweep()) !== null);
    expect(await lastSweep()).toMatchObject({ holding: 3, notHolding: 1, unknown: 1, failure: null });
    expect(await world.member(userOf(1))).toMatchObject({ role_state: 'holder', answer: 'unknown' });
    expect(await roleStates()).toEqual({ holder: 4, doubt: 1 });
  });

  it('members who are not in the server are not checked', async () => {
    await world.server();
    await settle(3);
    await world.rows('update discord_members set is_in_guild = false, check_due_at = clock_timestamp()');
    const roles = world.copy();
    await sweepNow();
    roles.start();
    await until('it is swept', async () => (await lastSweep()) !== null);
    expect(world.holdings.tableReads).toEqual([0]);
    expect(world.holdings.singleReads).toEqual([]);
  });

  it('nothing is done while the bot is shut down, and everything once it is started', async () => {
    await world.server();
    await settle(3);
    await world.rows("update discord_service set wanted = 'inactive'");
    await world.rows(
      'update discord_members set check_due_at = clock_timestamp(), has_role = false where user_id = $1',
      [userOf(1)],
    );
    const roles = world.copy();
    await sweepNow();
    roles.start();
    await world.link(roles, userOf(8), [walletOf(8)]);
    expect(await roles.checkNow(guildId, userOf(8), 'verified')).toMatchObject({ answer: 'does-not-hold' });
    expect(await lastSweep()).toBeNull();
    await world.rows("update discord_service set wanted = 'active'");
    await until('the role is given', () => world.roleHolders.has(userOf(1)));
  });

  it('after another collection was saved, the checks for the previous one remove no role', async () => {
    await world.server();
    await settle(3);
    const roles = world.copy();
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, userOf(1), 'sold');
    await world.elapse(10.1);
    await roles.checkNow(guildId, userOf(1), 'asked');
    expect(await world.member(userOf(1))).toMatchObject({ role_state: 'grace' });
    await world.rows('update discord_guild_configs set nft_contract = $1', [otherType]);
    for (const number of [0, 1, 2]) world.holdings.set(walletOf(number), 1, otherType);
    await transact(typedKysely(world.database.pool), (trx) => reconfigure(trx, guildId));
    roles.start();
    await until('it is swept', async () => (await lastSweep()) !== null);
    await world.quiet();
    expect(await roleStates()).toEqual({ holder: 3 });
    expect(world.done).toEqual([]);
  });
});

describe('Two copies of the product', () => {
  it('share the sweeps and the checks: each role is given once', async () => {
    // A server has one role change at a time, so this needs more servers than one copy works on at once.
    const guilds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    for (const number of guilds) {
      await world.server({ guildId: guildOf(number), nftType: number % 2 === 0 ? rockType : otherType });
      await settle(6, guildOf(number), number * 100);
      for (let each = 0; each < 6; each += 1) world.holdings.set(walletOf(number * 100 + each), 1, otherType);
    }
    await world.rows("update discord_members set role_state = 'none', has_role = false");
    const { promise: bothAtWork, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    world.pace = () => {
      begun += 1;
      // More changes than one copy makes at once: the other copy is at work too.
      if (begun > 8) resolve();
      return bothAtWork;
    };
    const copies = [world.copy(), world.copy()];
    await sweepNow();
    for (const copy of copies) copy.start();
    await until('all have it', () => world.roleHolders.size === 60);
    await world.quiet();
    expect(world.done).toHaveLength(60);
    expect(new Set(world.done.map(({ by }) => by)).size).toBe(2);
  });

  it('after a kill -9 in the middle of a sweep another copy restarts it, with nothing lost or half done', async () => {
    const guilds = [1, 2, 3, 4];
    for (const number of guilds) {
      await world.server({ guildId: guildOf(number) });
      await settle(1, guildOf(number), number * 100);
    }
    await world.rows("update discord_members set role_state = 'none', has_role = false");
    await sweepNow();
    const settings = { databaseUrl: world.database.url, collectionType: rockType, hangsAt: 3 };
    const child = startChild('tests/support/role-copy.ts', [], { ROLE_COPY: JSON.stringify(settings) });
    children.push(child);
    expect(await child.firstLine()).toBe('hanging');
    await until('those before are stored', async () => (await roleStates())['holder'] === 2);
    await child.end('SIGKILL');
    expect(await roleStates()).toEqual({ holder: 2, none: 2 });
    const other = world.copy();
    other.start();
    await until('all have it', () => world.roleHolders.size === 4);
    await until('all are swept', async () => (await lastSweep(guildOf(4))) !== null);
    await world.quiet();
    expect(await roleStates()).toEqual({ holder: 4 });
    expect(world.done.map(({ kind }) => kind)).toEqual(['grant', 'grant', 'grant', 'grant']);
    await until('everything is stored', async () => (await world.audited()).length === 4);
    expect(await world.audited()).toEqual(Array.from({ length: 4 }, () => 'discord-role-given'));
  });
});
