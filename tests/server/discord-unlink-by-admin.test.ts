import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Invalid, Refused } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

let world: RoleWorld;
let roles: RoleCopy;
const [gwen, ben] = [userOf(1), userOf(2)];
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
  await world.link(roles, gwen, [walletOf(1), walletOf(2)]);
});
afterEach(() => world.end());

const walletsLinkedBy = async (userId: string) =>
  (await world.rows('select wallet from discord_wallets where user_id = $1', [userId])).map(({ wallet }) => wallet);

const unlink = (wallet: string, userId = gwen) => {
  const path = '/api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}';
  return world.call(roles, 'DELETE', path, { params: { guildId, userId, wallet } });
};

describe("'Another member has linked this wallet … ask the team' (rulings R5: one wallet one member)", () => {
  it('an admin unlinks it, which is logged, and the answer shows the member without it', async () => {
    const upper = `0x${walletOf(1).slice(2).toUpperCase()}`;
    expect(await unlink(upper)).toMatchObject({
      status: 200,
      body: { data: { member: { userId: gwen }, wallets: [{ wallet: walletOf(2) }] } },
    });
    const entries = await world.rows(
      "select actor_kind, actor_name, before from audit_entries where action = 'discord-wallet-unlinked'",
    );
    expect(entries).toEqual([{ actor_kind: 'admin', actor_name: 'chief', before: { wallet: walletOf(1) } }]);
    // The real owner links it now.
    await world.link(roles, ben, [walletOf(1)]);
    expect(await walletsLinkedBy(ben)).toEqual([walletOf(1)]);
  });

  it('ends the role only after a second check, and never while another wallet holds', async () => {
    world.holdings.set(walletOf(1), 1);
    world.holdings.set(walletOf(2), 1);
    roles.start();
    await until('she has the role', () => world.roleHolders.has(gwen));
    await unlink(walletOf(1));
    await world.quiet();
    expect(await world.member(gwen)).toMatchObject({ role_state: 'holder' });
    await unlink(walletOf(2));
    await until('the second check is due', async () => (await world.member(gwen))['role_state'] === 'doubt');
    expect(world.roleHolders.has(gwen)).toBe(true);
    await world.elapse(11);
    await until('the role is taken', () => !world.roleHolders.has(gwen));
  });

  it.each([
    ['of another member', walletOf(1), ben],
    ['that nobody has linked', walletOf(9), gwen],
  ])('a wallet %s is answered with 404 and a sentence, and nothing changes', async (_which, wallet, userId) => {
    await expect(unlink(wallet, userId)).rejects.toMatchObject({
      constructor: Refused,
      reason: 'not-found',
      message: 'This wallet is not linked to this member. Refresh the page.',
    });
    expect(await walletsLinkedBy(gwen)).toHaveLength(2);
    expect(await world.audited()).not.toContain('discord-wallet-unlinked');
  });

  it('text that is not an address is refused', async () => {
    await expect(unlink('0x12')).rejects.toMatchObject({ constructor: Invalid, reason: 'invalid-wallet' });
  });
});
