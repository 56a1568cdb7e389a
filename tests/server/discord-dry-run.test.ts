import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { DryRunAnswer } from '../../src/discord/contract.ts';
import { Invalid } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import {
  guildId,
  otherType,
  rockType,
  type RoleCopy,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';

let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const run = async (nftContract: string): Promise<DryRunAnswer> => {
  const path = '/api/discord/guilds/{guildId}/dry-run';
  const { body } = (await world.call(roles, 'POST', path, { body: { nftContract } })) as { body: unknown };
  return (body as { data: DryRunAnswer }).data;
};

describe('A dry run (rulings R6)', () => {
  it("says 'gives to, takes from, keeps, unknown', and changes nothing", async () => {
    for (const number of [1, 2, 3, 4, 5]) await world.link(roles, userOf(number), [walletOf(number)]);
    for (const number of [1, 2]) {
      world.holdings.set(walletOf(number), 1);
      await roles.checkNow(guildId, userOf(number), 'verified');
    }
    for (const number of [2, 3]) world.holdings.set(walletOf(number), 1, otherType);
    world.holdings.set(walletOf(4), 'unknown', otherType);
    const before = await world.rows('select * from discord_members order by user_id');
    expect(await run(otherType)).toMatchObject({
      nftType: otherType,
      verifiedCount: 5,
      gives: 1,
      takes: 1,
      keeps: 1,
      losing: 0,
      unknown: 1,
      givesTo: [{ userId: userOf(3) }],
      takesFrom: [{ userId: userOf(1) }],
    });
    expect(await world.rows('select * from discord_members order by user_id')).toEqual(before);
    await expect(run('0x1::no::Such')).rejects.toMatchObject({ constructor: Invalid, reason: 'nft-contract-missing' });
  });

  it('counts members who are about to lose the role anyway separately: saving the contract already in use changes nothing for them', async () => {
    for (const number of [1, 2, 3]) {
      await world.link(roles, userOf(number), [walletOf(number)]);
      world.holdings.set(walletOf(number), 1);
      await roles.checkNow(guildId, userOf(number), 'verified');
    }
    // One sold and was checked, one sold just now.
    world.holdings.set(walletOf(1), 0);
    world.holdings.set(walletOf(2), 0);
    expect(await roles.checkNow(guildId, userOf(1), 'sold')).toMatchObject({ roleState: 'doubt' });
    expect(await run(rockType)).toMatchObject({ isConfigured: true, gives: 0, takes: 0, keeps: 1, losing: 2 });
    // Another contract takes it from members who would have kept it, even if an admin had decided that it stays.
    expect(await run(otherType)).toMatchObject({ isConfigured: false, gives: 0, takes: 2, keeps: 0, losing: 1 });
    await world.rows("update discord_members set role_state = 'kept' where user_id = $1", [userOf(1)]);
    expect(await run(rockType)).toMatchObject({ takes: 0, keeps: 2, losing: 1 });
    expect(await run(otherType)).toMatchObject({ takes: 3, losing: 0 });
  });

  it('counts members who have unlinked their last wallet separately, for any contract', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    world.holdings.set(walletOf(1), 1);
    await roles.checkNow(guildId, gwen, 'verified');
    await roles.unlinkWallet(guildId, gwen, walletOf(1), { kind: 'discord', userId: gwen, name: 'Gwen' });
    expect(await run(otherType)).toMatchObject({ verifiedCount: 0, takes: 0, losing: 1 });
  });

  it.each([
    ['was deleted in Discord', "update discord_guilds set roles = '[]'"],
    ['was never chosen', "update discord_guild_configs set role_id = ''"],
  ])('says so when the role %s: then nobody is given anything', async (_why, change) => {
    expect(await run(otherType)).toMatchObject({ hasRole: true });
    await world.rows(change);
    expect(await run(otherType)).toMatchObject({ hasRole: false });
  });
});
