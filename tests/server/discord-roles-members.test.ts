import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ActivityBatch } from '../../src/market/contract.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { someCollection, someEvent } from '../support/activity-events.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
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

/** What makes members due for a check, and what they may ask for (rulings R5). */
let world: RoleWorld;
let roles: RoleCopy;
const [gwen, hugo, ivy] = [userOf(1), userOf(2), userOf(3)];
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const { holding, hold, rolesOf } = memberStories(
  () => world,
  () => roles,
);

describe('A reported trade', () => {
  const trackedId = async (): Promise<bigint> => {
    const [row] = await world.rows(
      `insert into tracked_collections (market_id, slug, name, is_verified) values ('m', 's', 'Rocks', true) returning id`,
    );
    await world.rows('update discord_guild_configs set tracked_collection_id = $1', [row?.['id']]);
    return BigInt(String(row?.['id']));
  };
  const happens = (id: bigint, given: Parameters<typeof someEvent>[1]): Promise<void> =>
    recorded(id, { events: [someEvent(1, { trackedCollectionId: id, ...given })] });
  const recorded = async (id: bigint, given: Partial<ActivityBatch>): Promise<void> => {
    const batch = {
      collection: someCollection({ id }),
      floorBeforeMist: null,
      events: [],
      transfers: [],
      earlierListings: [],
      earlierMintCount: 0,
      gapMs: 30_000,
      hasMore: false,
      ...given,
    };
    await typedKysely(world.database.pool)
      .transaction()
      .execute((trx) => roles.listener.recordBatch(batch, trx));
  };

  it('gives the buyer the role within 3 seconds', async () => {
    const id = await trackedId();
    await holding(1);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'verified');
    roles.start();
    world.holdings.set(walletOf(1), 1);
    const startedMs = performance.now();
    await happens(id, { kind: 'sale', buyer: walletOf(1), seller: walletOf(9) });
    await until('she has it', () => world.roleHolders.has(gwen), 3_000);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(await rolesOf(gwen)).toMatchObject([{ cause: 'bought' }]);
  });

  it("is checked again when the full node lags behind: the buyer's role comes automatically", async () => {
    const id = await trackedId();
    await holding(1);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'verified');
    roles.start();
    await happens(id, { kind: 'mint', buyer: walletOf(1), seller: null });
    await until(
      'it was checked and nothing was found',
      async () => (await world.member(gwen))['check_cause'] === 'bought-2',
    );
    world.holdings.set(walletOf(1), 1);
    await world.elapse(0.2);
    await until('she has it', () => world.roleHolders.has(gwen));
  });

  it.each([
    ['given away', { receiver: walletOf(9) }],
    ['destroyed', { receiver: null }],
  ])('puts a member whose piece was %s in doubt at once', async (_what, { receiver }) => {
    const id = await trackedId();
    await hold(1);
    world.holdings.set(walletOf(1), 0);
    await recorded(id, { transfers: [{ id: 1n, sender: walletOf(1), receiver }] });
    await until('she is in doubt', async () => (await world.member(gwen))['role_state'] === 'doubt');
  });

  it('gives the role to a member who was given a piece, and checks nobody whose piece moved to another kiosk of theirs', async () => {
    const id = await trackedId();
    await holding(1);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'verified');
    await recorded(id, { transfers: [{ id: 1n, sender: walletOf(1), receiver: walletOf(1) }] });
    expect((await world.member(gwen))['check_cause']).toBeNull();
    roles.start();
    world.holdings.set(walletOf(1), 1);
    await recorded(id, { transfers: [{ id: 2n, sender: walletOf(9), receiver: walletOf(1) }] });
    await until('she has it', () => world.roleHolders.has(gwen), 3_000);
  });

  it('puts the seller in doubt at once, so that the role is gone after ten minutes', async () => {
    const id = await trackedId();
    await hold(1);
    world.holdings.set(walletOf(1), 0);
    await happens(id, { kind: 'sale', buyer: walletOf(9), seller: walletOf(1) });
    await until('she is in doubt', async () => (await world.member(gwen))['role_state'] === 'doubt');
    await world.elapse(10.1);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
  });

  it('checks nobody if it is only a listing or a bid, or in a server with another collection', async () => {
    const id = await trackedId();
    await hold(1);
    const reads = world.holdings.singleReads.length;
    await happens(id, { kind: 'listing', buyer: null, seller: walletOf(1) });
    await happens(id, { kind: 'bid', buyer: walletOf(1), seller: null });
    await happens(id + 1n, { kind: 'sale', buyer: null, seller: walletOf(1) });
    expect(await world.member(gwen)).toMatchObject({ check_due_at: null });
    expect(world.holdings.singleReads).toHaveLength(reads);
  });
});

describe('What members ask for', () => {
  it('one wallet belongs to one member of a server, and may belong to someone else in another', async () => {
    await holding(1);
    const db = typedKysely(world.database.pool);
    const link = (guild: string, userId: string) =>
      db
        .transaction()
        .execute((trx) =>
          roles.linkWallet(
            { guildId: guild, userId, displayName: 'Hugo', wallet: walletOf(1), scheme: 'ed25519' },
            trx,
          ),
        );
    expect(await link(guildId, gwen)).toBe('already-yours');
    expect(await link(guildId, hugo)).toBe('taken-by-another');
    expect(await world.member(hugo)).toEqual({});
    const other = await world.server({ guildId: '700000000000000009', roleId: '700000000000000008' });
    expect(await link(other, hugo)).toBe('linked');
  });

  it('unlinking the only wallet ends the role after two checks, not at once; linking another in time keeps it', async () => {
    await hold(1, 2);
    expect(await roles.unlinkWallet(guildId, gwen, walletOf(1), admin)).toBe(true);
    expect(await roles.unlinkWallet(guildId, gwen, walletOf(2), admin)).toBe(false);
    await until('she is in doubt', async () => (await world.member(gwen))['role_state'] === 'doubt');
    world.holdings.set(walletOf(7), 1);
    await world.link(roles, gwen, [walletOf(7)]);
    await world.elapse(10.1);
    await world.quiet();
    expect(world.done).toEqual([]);
    expect(await world.audited()).toContain('discord-wallet-unlinked');
  });

  it("'delete my data' while the role is being given removes it as soon as it is given", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.pace = () => promise;
    world.holdings.set(walletOf(1), 1);
    await world.link(roles, gwen, [walletOf(1)]);
    await roles.memberRoleSeen(guildId, gwen, false);
    roles.start();
    await until('it is at Discord', async () => {
      const rows = await world.rows('select 1 from discord_member_roles where given_at is not null');
      return rows.length === 1;
    });
    expect(await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Gwen' })).toBe(true);
    expect(await rolesOf(gwen)).toMatchObject([{ wanted: 'remove-role', is_waiting: true }]);
    resolve();
    await until('it was given and taken', () => world.done.length === 2);
    expect(world.roleHolders.size).toBe(0);
    await until('nothing is left', async () => (await world.rows('select 1 from discord_member_roles')).length === 0);
  });

  it("'delete my data' of a member who has only asked for a link ends the link", async () => {
    await world.rows(
      `insert into discord_verifications (token_hash, guild_id, user_id, display_name, expires_at)
       values ('\\x01', $1, $2, 'Gwen', clock_timestamp() + interval '15 minutes')`,
      [guildId, gwen],
    );
    expect(await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Gwen' })).toBe(true);
    expect(await world.rows('select 1 from discord_verifications')).toEqual([]);
  });

  it("'delete my data' removes the role at once and leaves nothing behind, even while the chain is down", async () => {
    await hold(1);
    world.holdings.isOut = true;
    expect(await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Gwen' })).toBe(true);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
    await until('the last row is gone', async () => (await rolesOf(gwen)).length === 0);
    expect(await world.member(gwen)).toEqual({});
    expect(await world.rows('select 1 from discord_wallets')).toEqual([]);
    const [entry] = await world.rows("select * from audit_entries where action = 'discord-member-deleted'");
    expect(JSON.stringify(entry)).not.toContain(walletOf(1));
    expect(await roles.deleteMember(guildId, gwen, admin)).toBe(false);
  });

  it('a member who verifies again right after deleting their data keeps the role or gets it back', async () => {
    await hold(1);
    await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Gwen' });
    await world.link(roles, gwen, [walletOf(1)]);
    await roles.checkNow(guildId, gwen, 'verified');
    await world.quiet();
    expect(world.roleHolders.has(gwen)).toBe(true);
  });

  it('a member who leaves and comes back is checked within 5 seconds', async () => {
    await hold(1);
    await world.rows('update discord_members set is_in_guild = false, has_role = false where user_id = $1', [gwen]);
    world.roleHolders.delete(gwen);
    await roles.memberJoined(guildId, gwen, 'Gwen');
    await until('she has it', () => world.roleHolders.has(gwen), 5_000);
    await roles.memberJoined(guildId, ivy, 'Ivy');
    expect(await world.member(ivy)).toEqual({});
  });
});
