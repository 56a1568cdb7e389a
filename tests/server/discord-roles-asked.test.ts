import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Roles } from '../../src/discord/roles/roles.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { rowHolder } from '../support/row-holder.ts';
import { until } from '../support/until.ts';

/** Looks that somebody asks for: by /why, or in the dashboard. */
let world: RoleWorld;
let roles: Roles;
const gwen = userOf(1);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());
const { holding } = memberStories(
  () => world,
  () => roles,
);

it('who asks again and again while a look is under way costs the chain that one look', async () => {
  await holding(1);
  const gate = Promise.withResolvers<void>();
  world.holdings.gate = gate.promise;
  const asked = Array.from({ length: 10 }, () => roles.checkNow(guildId, gwen, 'asked'));
  await until('it is looked', () => world.holdings.singleReads.length > 0);
  gate.resolve();
  for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ answer: 'holds' });
  expect(world.holdings.singleReads).toEqual([walletOf(1)]);
  await roles.checkNow(guildId, gwen, 'asked');
  expect(world.holdings.singleReads).toHaveLength(2);
});

it('who has many wallets has two of them read at a time, so that everybody else’s questions find their turn', async () => {
  await world.link(roles, gwen, [1, 2, 3, 4, 5, 6].map(walletOf));
  const { holdings } = world;
  let waiting = 0;
  let most = 0;
  const ownership = {
    ...holdings.ownership,
    readWallet: async (nftType: string, wallet: string) => {
      waiting += 1;
      most = Math.max(most, waiting);
      await setImmediate();
      waiting -= 1;
      return holdings.ownership.readWallet(nftType, wallet);
    },
  };
  await world.copy({ ownership }).checkNow(guildId, gwen, 'asked');
  expect([holdings.singleReads.length, most]).toEqual([6, 2]);
});

it('who comes back in the moment in which they are found to be away is looked at', async () => {
  await holding(1);
  await world.rows('update discord_members set is_in_guild = false, check_due_at = null');
  const other = await rowHolder(world.database.pool);
  await other.hold('discord_members', 'true', []);
  const looked = roles.checkNow(guildId, gwen, 'asked-by-admin');
  await other.isWaitedFor();
  await other.change(
    "update discord_members set is_in_guild = true, check_due_at = clock_timestamp(), check_cause = 'joined'",
    [],
  );
  await other.end();
  await looked;
  expect(await world.member(gwen)).toMatchObject({ check_cause: 'joined', check_due_at: expect.any(Date) as Date });
});
