import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { transact } from '../../src/db/transaction.ts';
import { reconfigure } from '../../src/discord/servers/configuring.ts';
import { testDatabase } from '../support/database.ts';
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

/** Rulings R5: two checks ten minutes apart, a direct message, a grace period, then the removal; unknown never changes anything. */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const wallet = walletOf(1);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
});
afterEach(() => world.end());

const becomeHolder = async (): Promise<void> => {
  world.holdings.set(wallet, 3);
  await world.link(roles, gwen, [wallet]);
  roles.start();
  await until('the role is given', () => world.roleHolders.has(gwen));
  await world.quiet();
};
const kinds = (): readonly string[] => world.done.map(({ kind }) => kind);
const roleState = async (): Promise<unknown> => (await world.member(gwen))['role_state'];

describe('A member who verified', () => {
  it('can be checked with the longest grace period, thirty days', async () => {
    await world.server({ graceMinutes: 43_200 });
    await world.link(roles, gwen, [wallet]);
    world.holdings.set(wallet, 1);
    expect(await roles.checkNow(guildId, gwen, 'verified')).toMatchObject({ answer: 'holds' });
  });

  it('gets the role, and reads what was found', async () => {
    await world.server();
    world.holdings.set(wallet, 3);
    await world.link(roles, gwen, [wallet]);
    const explanation = await roles.checkNow(guildId, gwen, 'verified');
    expect(explanation).toMatchObject({ answer: 'holds', roleState: 'holder' });
    expect(explanation?.wallets[0]?.found).toBe('3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed');
    roles.start();
    await until('the role is given', () => world.roleHolders.has(gwen));
    await world.quiet();
    expect(world.done).toMatchObject([{ kind: 'grant', roleId }]);
    expect(await world.audited()).toEqual(['discord-role-given']);
    expect((await roles.explain(guildId, gwen))?.sentences.at(-1)).toBe('The role is given.');
  });

  it('gets the role even if nothing checks at once: linking alone makes a check due', async () => {
    await world.server();
    await becomeHolder();
    expect(await roleState()).toBe('holder');
  });

  it('but holds nothing gets no role, and reads what was checked', async () => {
    await world.server();
    await world.link(roles, gwen, [wallet]);
    const explanation = await roles.checkNow(guildId, gwen, 'verified');
    expect(explanation).toMatchObject({ answer: 'does-not-hold', roleState: 'none' });
    expect(explanation?.sentences[1]).toContain(
      'no rocks found; checked in your wallet, in its kiosk and at the marketplace',
    );
  });

  it('whose wallet cannot be read is checked again automatically and then gets the role', async () => {
    await world.server();
    world.holdings.set(wallet, 'unknown');
    await world.link(roles, gwen, [wallet]);
    expect(await roles.checkNow(guildId, gwen, 'verified')).toMatchObject({ answer: 'unknown', roleState: 'none' });
    world.holdings.set(wallet, 1);
    await world.elapse(1);
    roles.start();
    await until('the role is given', () => world.roleHolders.has(gwen));
  });

  it('holds when one of two wallets does, and is unknown, not a non-holder, when one cannot be read', async () => {
    await world.server();
    await becomeHolder();
    await world.link(roles, gwen, [walletOf(2)]);
    world.holdings.set(wallet, 0);
    world.holdings.set(walletOf(2), 'unknown');
    await roles.checkNow(guildId, gwen, 'asked');
    for (let look = 0; look < 4; look += 1) {
      await world.elapse(11);
      expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({ answer: 'unknown', roleState: 'holder' });
    }
    world.holdings.set(walletOf(2), 1);
    expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({ answer: 'holds', roleState: 'holder' });
    expect(kinds()).toEqual(['grant']);
  });
});

describe('A member who sold', () => {
  it('keeps the role after one check, and loses it after a second one ten minutes later, with a notice first', async () => {
    await world.server();
    await becomeHolder();
    world.holdings.set(wallet, 0);
    expect(await roles.checkNow(guildId, gwen, 'sold')).toMatchObject({ roleState: 'doubt' });
    await world.elapse(9);
    expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({ roleState: 'doubt' });
    expect(kinds()).toEqual(['grant']);
    await world.elapse(1.1);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
    await until('that is stored', async () => (await roleState()) === 'none');
    expect(kinds()).toEqual(['grant', 'message', 'remove']);
    expect(world.done[1]?.content).toContain('In Rock Mountain, your role "Rock Holder" ends now');
    expect(await world.audited()).toEqual(['discord-role-given', 'discord-role-ending', 'discord-role-taken']);
  });

  it('has the grace period of the server, reads when it ends, and keeps the role by buying again in time', async () => {
    await world.server({ graceMinutes: 60 });
    await becomeHolder();
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await until('she is notified', () => kinds().includes('message'));
    expect(world.done[1]?.content).toMatch(/ends at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    await world.elapse(30);
    await world.quiet();
    expect(await roleState()).toBe('grace');
    world.holdings.set(wallet, 1);
    await roles.checkNow(guildId, gwen, 'bought');
    await world.elapse(40);
    await world.quiet();
    expect(await roleState()).toBe('holder');
    expect(kinds()).toEqual(['grant', 'message']);
  });

  it('loses the role when the grace period is over, after a third check', async () => {
    await world.server({ graceMinutes: 60 });
    await becomeHolder();
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await until('she is notified', () => kinds().includes('message'));
    const readsBefore = world.holdings.singleReads.length;
    await world.elapse(60);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
    expect(world.holdings.singleReads.length).toBeGreaterThan(readsBefore);
  });

  it('keeps the role while the chain cannot be read, however long that takes', async () => {
    await world.server();
    await becomeHolder();
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    world.holdings.isOut = true;
    for (let look = 0; look < 3; look += 1) {
      await world.elapse(30);
      await roles.checkNow(guildId, gwen, 'asked');
    }
    expect(await roleState()).toBe('doubt');
    expect(kinds()).toEqual(['grant']);
  });

  it('keeps the role when the chain stops answering between the decision and the removal', async () => {
    await world.server();
    await becomeHolder();
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    world.answer = ({ kind }) => (kind === 'message' ? { kind: 'limited', retryAfterMs: 60_000 } : undefined);
    await world.elapse(10.1);
    await until(
      'the removal waits behind the message',
      async () =>
        (await world.rows('select 1 from discord_direct_messages where due_at > clock_timestamp()')).length === 1,
    );
    world.holdings.isOut = true;
    world.answer = () => undefined;
    await world.elapse(2);
    await until('she is notified', () => kinds().includes('message'));
    await until(
      'the removal was put off',
      async () =>
        (
          await world.rows(
            "select 1 from discord_member_roles where wanted = 'remove-role' and due_at > clock_timestamp()",
          )
        ).length === 1,
    );
    expect(world.roleHolders.has(gwen)).toBe(true);
    world.holdings.isOut = false;
    world.holdings.set(wallet, 1);
    await world.elapse(10);
    await world.quiet();
    expect(await roleState()).toBe('holder');
    expect(kinds()).toEqual(['grant', 'message']);
  });

  it('whose role is already gone gets no notice', async () => {
    await world.server();
    await becomeHolder();
    await roles.memberRoleSeen(guildId, gwen, false);
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await world.quiet();
    expect(await roleState()).toBe('none');
    expect(kinds()).toEqual(['grant']);
  });

  it.each([
    ['before the second check', 0],
    ['in the grace period', 60],
  ])('keeps a role given by hand after someone removed the bot’s %s', async (_when, graceMinutes) => {
    await world.server({ graceMinutes });
    await becomeHolder();
    world.holdings.set(wallet, 0);
    await roles.checkNow(guildId, gwen, 'sold');
    if (graceMinutes === 0) await roles.memberRoleSeen(guildId, gwen, false);
    await world.elapse(10.1);
    if (graceMinutes > 0) {
      await until('she is notified', () => kinds().includes('message'));
      await roles.memberRoleSeen(guildId, gwen, false);
    }
    await until('she is released', async () => (await roleState()) === 'none');
    await roles.memberRoleSeen(guildId, gwen, true);
    await transact(typedKysely(world.database.pool), (trx) => reconfigure(trx, guildId));
    expect(await world.member(gwen)).toMatchObject({ role_state: 'none', has_role: true });
  });
});
