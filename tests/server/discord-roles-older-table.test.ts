import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { HoldingAnswer } from '../../src/market/contract.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, roleId, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Decision 0017: one owner table is kept for a minute, however many servers are swept with it. */
let world: RoleWorld;
const { settle, sweepNow, lastSweep, roleStates } = roleStories(() => world);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  await world.server();
  await settle(3);
});
afterEach(() => world.end());

/** A table with everyone's holdings as of half a minute ago. */
const olderTable = (pieces: number) => {
  const { holdings } = world;
  const { ownership } = holdings;
  return {
    ...ownership,
    readWallets: async (nftType: string, wallets: readonly string[]): Promise<ReadonlyMap<string, HoldingAnswer>> => {
      const now = await Promise.all(wallets.map((wallet) => ownership.readWallet(nftType, wallet)));
      for (const wallet of wallets) holdings.set(wallet, pieces);
      const answers = await ownership.readWallets(nftType, wallets);
      wallets.forEach((wallet, at) => holdings.set(wallet, now[at]?.kind === 'holds' ? 1 : 0));
      return new Map([...answers].map(([wallet, each]) => [wallet, { ...each, asOf: new Date(Date.now() - 30_000) }]));
    },
  };
};
const swept = () => until('it is swept', async () => (await lastSweep()) !== null);

describe('A sweep whose table is older than a check of the wallets themselves', () => {
  it('does not make a holder of a member who has sold meanwhile: the second check comes on time', async () => {
    const roles = world.copy({ ownership: olderTable(1) });
    world.holdings.set(walletOf(0), 0);
    expect(await roles.checkNow(guildId, userOf(0), 'sold')).toMatchObject({ roleState: 'doubt' });
    const before = await world.member(userOf(0));
    await sweepNow();
    roles.start();
    await swept();
    expect(await roleStates()).toEqual({ holder: 2, doubt: 1 });
    expect(await world.member(userOf(0))).toEqual(before);
  });

  it('does not put a member who has bought meanwhile in doubt', async () => {
    await world.rows(
      "update discord_members set role_state = 'none', answer = 'does-not-hold', has_role = false where user_id = $1",
      [userOf(0)],
    );
    for (const number of [1, 2]) world.holdings.set(walletOf(number), 0);
    const roles = world.copy({ ownership: olderTable(0) });
    expect(await roles.checkNow(guildId, userOf(0), 'bought')).toMatchObject({ roleState: 'holder' });
    await sweepNow();
    roles.start();
    await swept();
    expect(await world.member(userOf(0))).toMatchObject({ role_state: 'holder', answer: 'holds' });
  });

  it('still gives the role that was chosen since, if both find that the member holds', async () => {
    world.holdings.set(walletOf(0), 2);
    const roles = world.copy({ ownership: olderTable(1) });
    expect(await roles.checkNow(guildId, userOf(0), 'asked')).toMatchObject({ roleState: 'holder' });
    const { answered_at: answeredAt, explanation } = await world.member(userOf(0));
    await world.rows('update discord_members set has_role = false');
    await sweepNow();
    roles.start();
    await until('all have it', () => world.roleHolders.size === 3);
    // The older findings do not replace the newer ones either.
    expect(await world.member(userOf(0))).toMatchObject({ answered_at: answeredAt, explanation });
    expect(world.done.every((call) => call.kind === 'grant' && call.roleId === roleId)).toBe(true);
  });
});
