import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { readGuildFigures } from '../../src/discord/admin/statistics-store.ts';
import { createGuildStore, guildPurge } from '../../src/discord/servers/guild-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { Invalid, Refused } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { purgeAll } from '../support/purge-all.ts';
import {
  admin,
  guildId,
  type RoleCopy,
  type RoleWorld,
  startRoleWorld,
  userOf,
  walletOf,
} from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** What admins see and decide (rulings R5 and R6). */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const base = '/api/discord/guilds/{guildId}';
const dataOf = async (method: string, path: string, given = {}): Promise<never> => {
  const answer = await world.call(roles, method, path, given);
  return ('body' in answer ? (answer.body as { data: unknown }).data : null) as never;
};
const authorize = (body: Record<string, unknown>) =>
  world.call(roles, 'POST', `${base}/wallets`, { body: { reason: 'Partner', ...body } });

describe('What an admin sends', () => {
  it('is cleaned before it is stored or searched for: no character breaks a call', async () => {
    const cleaned = { status: 200, body: { data: { reason: 'Partner' } } };
    expect(await authorize({ wallet: walletOf(1), reason: 'Part\u0000ner \ud800' })).toMatchObject(cleaned);
    const refused = { reason: 'reason-required' };
    await expect(authorize({ wallet: walletOf(2), reason: '\u0000' })).rejects.toMatchObject(refused);
    expect(await dataOf('GET', `${base}/members`, { query: { search: '\u0000' } })).toMatchObject({ members: [] });
  });

  it.each(['members', 'wallets', 'statistics'])('%s of a server where the bot never was are a 404', async (what) => {
    const params = { guildId: '123456789012345678' };
    await expect(world.call(roles, 'GET', `${base}/${what}`, { params })).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});

describe('Authorized wallets', () => {
  it('count as holding for the member who has linked them, with reason, author and expiry, and are logged', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    roles.start();
    await world.quiet();
    const upper = `0x${walletOf(1).slice(2).toUpperCase()}`;
    expect(await authorize({ wallet: upper })).toMatchObject({
      status: 200,
      body: {
        data: { wallet: walletOf(1), reason: 'Partner', addedBy: 'chief', isActive: true, member: { userId: gwen } },
      },
    });
    await until('she has it', () => world.roleHolders.has(gwen));
    expect((await roles.explain(guildId, gwen))?.wallets[0]).toMatchObject({
      authorizedUntil: 'always',
      answer: 'does-not-hold',
    });
    expect(await authorize({ wallet: walletOf(1) })).toMatchObject({
      status: 409,
      body: { code: 'already-authorized' },
    });
    expect(await world.audited()).toContain('discord-wallet-authorized');
  });

  it('count even while the chain cannot be read', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    world.holdings.isOut = true;
    await authorize({ wallet: walletOf(1) });
    expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({ answer: 'holds', roleState: 'holder' });
  });

  it('end with the first sweep after their expiry, and when an admin removes them: then two checks decide, as after a sale', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    await authorize({ wallet: walletOf(1), expiresAt: new Date(Date.now() + 60_000).toISOString() });
    roles.start();
    await until('she has it', () => world.roleHolders.has(gwen));
    await world.quiet();
    await world.elapse(2);
    await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
    await until('she is in doubt', async () => (await world.member(gwen))['role_state'] === 'doubt');
    // The same wallet may be authorized again.
    expect(await authorize({ wallet: walletOf(1) })).toMatchObject({ status: 200 });
    await until('she is a holder again', async () => (await world.member(gwen))['role_state'] === 'holder');
    const [latest] = (await dataOf('GET', `${base}/wallets`)) as { id: string }[];
    const params = { guildId, walletId: latest?.id };
    expect(await dataOf('DELETE', `${base}/wallets/{walletId}`, { params })).toMatchObject({
      isActive: false,
      removedBy: 'chief',
    });
    await until('she is in doubt again', async () => (await world.member(gwen))['role_state'] === 'doubt');
    expect((await dataOf('GET', `${base}/wallets`)) as unknown[]).toHaveLength(2);
    expect(world.roleHolders.has(gwen)).toBe(true);
  });

  it.each([
    [{ wallet: '0x12' }, 'invalid-wallet'],
    [{ wallet: `${walletOf(1)}0` }, 'invalid-wallet'],
    [{ wallet: walletOf(1), expiresAt: '2020-01-01T00:00:00Z' }, 'expiry-in-the-past'],
  ])('%o is refused: %s', async (body, reason) => {
    await expect(authorize(body)).rejects.toMatchObject({ constructor: Invalid, reason });
  });
});

describe('The figures of a server and its members', () => {
  it('count members, wallets, roles, what cannot be read, what is waiting and what failed', async () => {
    for (const number of [1, 2, 3]) await world.link(roles, userOf(number), [walletOf(number)]);
    world.holdings.set(walletOf(1), 1);
    world.holdings.set(walletOf(2), 'unknown');
    world.holdings.set(walletOf(3), 1);
    world.answer = ({ userId }) =>
      userId === userOf(3) ? { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' } : undefined;
    await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
    roles.start();
    await until('one is given and one failed', async () => {
      const found: { roleHolderCount: number; failedActions: unknown[] } = await dataOf('GET', `${base}/statistics`);
      return found.roleHolderCount === 1 && found.failedActions.length === 1;
    });
    await until(
      'it was swept',
      async () => ((await dataOf('GET', `${base}/statistics`)) as { lastSweep: unknown }).lastSweep !== null,
    );
    await world.quiet();
    expect(await dataOf('GET', `${base}/statistics`)).toMatchObject({
      verifiedCount: 3,
      walletCount: 3,
      unknownCount: 1,
      pendingRemovalCount: 0,
      waitingRemoval: null,
      failedActionCount: 1,
      failedActions: [{ failure: 'Discord refused it (code 1).', member: { userId: userOf(3) } }],
    });
    await expect(
      world.call(roles, 'GET', `${base}/statistics`, { params: { guildId: '123456' } }),
    ).rejects.toMatchObject({ constructor: Refused, reason: 'not-found' });
  });

  it('separate members who wait for a second check from those who are about to lose the role', async () => {
    for (const number of [1, 2, 3]) await world.link(roles, userOf(number), [walletOf(number)]);
    await world.rows("update discord_members set role_state = case user_id when $1 then 'grace' else 'doubt' end", [
      gwen,
    ]);
    expect(await dataOf('GET', `${base}/statistics`)).toMatchObject({ inDoubtCount: 2, pendingRemovalCount: 1 });
  });

  it('a member who unlinked their last wallet is verified nowhere: not in Statistics, the list of servers or /stats', async () => {
    for (const number of [1, 2]) await world.link(roles, userOf(number), [walletOf(number)]);
    await roles.unlinkWallet(guildId, gwen, walletOf(1), admin);
    const db = typedKysely(world.database.pool);
    // She still has the role of the wallet she unlinked.
    await world.rows('update discord_members set has_role = true');
    const counts = { verifiedCount: 1, roleHolderCount: 1 };
    expect(await dataOf('GET', `${base}/statistics`)).toMatchObject(counts);
    expect((await createGuildStore(db).read(guildId))?.verifiedCount).toBe(1);
    expect(await readGuildFigures(db, guildId)).toMatchObject(counts);
  });

  it('members are found by name, id and address, 50 a page', async () => {
    for (let number = 1; number <= 51; number += 1) await world.link(roles, userOf(number), [walletOf(number)]);
    const page = async (
      query: Record<string, string>,
    ): Promise<{ members: { userId: string }[]; nextAfter: string | null }> =>
      dataOf('GET', `${base}/members`, { query });
    const first = await page({});
    expect([first.members.length, first.nextAfter]).toEqual([50, userOf(50)]);
    expect((await page({ after: userOf(50) })).members.map(({ userId }) => userId)).toEqual([userOf(51)]);
    for (const search of [
      walletOf(7),
      walletOf(7).toUpperCase().replace('0X', '0x'),
      userOf(7),
      `MEMBER ${userOf(7)}`,
    ]) {
      expect((await page({ search })).members.map(({ userId }) => userId)).toEqual([userOf(7)]);
    }
    expect((await page({ search: '%' })).members).toEqual([]);
  });

  it('members who have unlinked their last wallet are listed as long as they still have the role', async () => {
    for (const number of [1, 2]) await world.link(roles, userOf(number), [walletOf(number)]);
    world.holdings.set(walletOf(1), 1);
    for (const number of [1, 2]) {
      await roles.checkNow(guildId, userOf(number), 'verified');
      const actor = { kind: 'discord', userId: userOf(number), name: 'Somebody' } as const;
      await roles.unlinkWallet(guildId, userOf(number), walletOf(number), actor);
    }
    const listed = async (query = {}): Promise<readonly string[]> => {
      const page: { members: { userId: string }[] } = await dataOf('GET', `${base}/members`, { query });
      return page.members.map(({ userId }) => userId);
    };
    expect(await listed()).toEqual([userOf(1)]);
    expect(await listed({ search: userOf(1) })).toEqual([userOf(1)]);
    expect(await listed({ search: userOf(2) })).toEqual([]);
    await world.rows("update discord_members set role_state = 'none', has_role = true where user_id = $1", [userOf(1)]);
    expect(await listed()).toEqual([userOf(1)]);
    await world.rows('update discord_members set has_role = false');
    expect(await listed()).toEqual([]);
  });

  it('an admin reads why, and has a member checked now, which is logged', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    const params = { guildId, userId: gwen };
    expect(await dataOf('GET', `${base}/members/{userId}`, { params })).toMatchObject({ answer: null });
    world.holdings.set(walletOf(1), 2);
    expect(await dataOf('POST', `${base}/members/{userId}/resolve`, { params })).toMatchObject({
      answer: 'holds',
      wallets: [{ found: '2 rocks: 1 in your wallet, 1 in a kiosk, 1 of them listed' }],
    });
    const stranger = { params: { guildId, userId: userOf(9) } };
    expect(await world.call(roles, 'GET', `${base}/members/{userId}`, stranger)).toMatchObject({ status: 404 });
    const resolving = await world.call(roles, 'POST', `${base}/members/{userId}/resolve`, stranger);
    expect(resolving).toMatchObject({ status: 404 });
    expect((await world.audited()).filter((action) => action === 'discord-member-resolved')).toHaveLength(1);
  });
});

describe('Retention', () => {
  const purged = () => {
    const ports = { watching: { unwatch: async () => {} }, audit: auditTrail };
    return purgeAll([guildPurge(typedKysely(world.database.pool), ports)]);
  };

  it('a server that the bot left 30 days ago is removed with everything, and not a day before', async () => {
    await world.link(roles, gwen, [walletOf(1)]);
    world.holdings.set(walletOf(1), 1);
    await roles.checkNow(guildId, gwen, 'verified');
    await authorize({ wallet: walletOf(1) });
    await world.rows("update discord_guilds set left_at = clock_timestamp() - interval '29 days'");
    await purged();
    expect(await world.rows('select 1 from discord_guilds')).toHaveLength(1);
    await world.rows("update discord_guilds set left_at = clock_timestamp() - interval '31 days'");
    await purged();
    expect(await world.rows('select 1 from discord_guilds')).toHaveLength(0);
    expect(await world.audited()).toContain('discord-server-purged');
  });
});
