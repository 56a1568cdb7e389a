import { afterEach, beforeEach, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { createGuildMemberStore } from '../../src/discord/servers/guild-member-store.ts';
import { createLinkStore } from '../../src/discord/verify/link-store.ts';
import { walletsMax } from '../../src/discord/roles/rules/findings.ts';
import { testDatabase } from '../support/database.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { somebodyWaits } from '../support/row-holder.ts';

/** What linking a wallet leaves behind. */
let world: RoleWorld;
let roles: RoleCopy;
const [gwen, hugo] = [userOf(1), userOf(2)];
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const linkAs = (userId: string, wallet: string, before: Promise<void> = Promise.resolve(), done = () => {}) =>
  typedKysely(world.database.pool)
    .transaction()
    .execute(async (trx) => {
      const link = { guildId, userId, displayName: 'Granite', wallet, scheme: 'ed25519' };
      const linked = await roles.linkWallet(link, trx);
      done();
      await before;
      return linked;
    });

/** Gwen links the wallet a moment before Hugo, who notices only when he links it himself. */
async function hugoLoses(): Promise<string> {
  const [gate, linkedFirst] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = linkAs(gwen, walletOf(1), gate.promise, linkedFirst.resolve);
  await linkedFirst.promise;
  const second = linkAs(hugo, walletOf(1));
  await somebodyWaits(world.database.pool);
  gate.resolve();
  expect(await first).toBe('linked');
  return second;
}

it('a member who loses the race for a wallet and has linked nothing leaves nothing behind, not even a name', async () => {
  expect(await hugoLoses()).toBe('taken-by-another');
  expect(await world.member(hugo)).toEqual({});
  expect(await world.member(gwen)).toMatchObject({ display_name: 'Granite' });
});

it('a wallet whose member has left the server goes to the member who signs with it now, and the log names both', async () => {
  expect(await linkAs(gwen, walletOf(1))).toBe('linked');
  await world.rows('update discord_members set payout_messages_since = now()');
  expect(await linkAs(hugo, walletOf(1))).toBe('taken-by-another');
  await world.rows('update discord_members set is_in_guild = false where user_id = $1', [gwen]);
  expect(await linkAs(hugo, walletOf(1))).toBe('linked');
  expect(await world.rows('select user_id from discord_wallets')).toEqual([{ user_id: hugo }]);
  expect(await world.member(gwen)).toMatchObject({ payout_messages_since: null });
  expect(await world.rows('select action, subject_id, actor_name from audit_entries')).toEqual([
    { action: 'discord-wallet-unlinked', subject_id: `${guildId}/${gwen}`, actor_name: 'Granite' },
  ]);
});

it('a link that was asked for before leaving the server no longer works; one asked for after coming back does', async () => {
  const db = typedKysely(world.database.pool);
  const [links, members] = [createLinkStore(db), createGuildMemberStore(db)];
  const use = async (name: string) => {
    const hash = Buffer.from(name);
    await links.begin(hash, { guildId, userId: gwen, displayName: 'Granite', userName: null });
    return () =>
      links.use(hash, (trx) =>
        roles.linkWallet(
          { guildId, userId: gwen, displayName: 'Granite', wallet: walletOf(1), scheme: 'ed25519' },
          trx,
        ),
      );
  };
  const asked = await use('as a stranger');
  // Discord is asked about her too once it is connected again.
  expect(await members.known(guildId)).toEqual([gwen]);
  await members.gone(guildId, [gwen]);
  expect(await asked()).toBe(null);
  expect(await linkAs(hugo, walletOf(1))).toBe('linked');
  await world.rows('delete from discord_wallets');
  expect(await (await use('back'))()).toBe('linked');
  const askedAgain = await use('linked before');
  await members.gone(guildId, [gwen]);
  expect(await askedAgain()).toBe(null);
  expect(await world.member(gwen)).toMatchObject({ is_in_guild: false });
  expect(await linkAs(hugo, walletOf(1))).toBe('linked');
});

it('a wallet stays with a member who comes back while somebody else links it', async () => {
  await linkAs(gwen, walletOf(1));
  await world.rows('update discord_members set is_in_guild = false');
  const [gate, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const back = typedKysely(world.database.pool)
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable('discordMembers').set({ isInGuild: true }).where('userId', '=', gwen).execute();
      isHeld.resolve();
      await gate.promise;
    });
  await isHeld.promise;
  const linked = linkAs(hugo, walletOf(1));
  await somebodyWaits(world.database.pool);
  gate.resolve();
  await back;
  expect(await linked).toBe('taken-by-another');
  expect(await world.rows('select user_id from discord_wallets')).toEqual([{ user_id: gwen }]);
});

it('nobody loses a wallet to a member who has already linked the maximum', async () => {
  await linkAs(gwen, walletOf(1));
  await world.rows('update discord_members set is_in_guild = false');
  await world.link(
    roles,
    hugo,
    Array.from({ length: walletsMax }, (_none, index) => walletOf(index + 2)),
  );
  expect(await linkAs(hugo, walletOf(1))).toBe('too-many');
  expect(await world.rows('select wallet from discord_wallets where user_id = $1', [gwen])).toHaveLength(1);
});

it('a member who loses the race and was known before stays, with or without wallets', async () => {
  await world.link(roles, hugo, [walletOf(2)]);
  await world.rows("update discord_members set role_state = 'grace', check_due_at = null where user_id = $1", [hugo]);
  expect(await hugoLoses()).toBe('taken-by-another');
  expect(await world.member(hugo)).toMatchObject({ role_state: 'grace', check_due_at: null });
  expect(await world.rows('select wallet from discord_wallets where user_id = $1', [hugo])).toEqual([
    { wallet: walletOf(2) },
  ]);
});

it('a member gets at most thirty links in a quarter of an hour', async () => {
  const links = createLinkStore(typedKysely(world.database.pool));
  const another = (index: number) =>
    links.begin(Buffer.from(`link ${index}`), { guildId, userId: gwen, displayName: 'Granite', userName: null });
  for (let index = 0; index < 30; index += 1) await another(index);
  await expect(another(30)).rejects.toMatchObject({ reason: 'too-many-links' });
  await world.rows("update discord_verifications set expires_at = expires_at - interval '15 minutes'");
  await expect(another(31)).resolves.toBeInstanceOf(Date);
});
