import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { readGuildFigures } from '../../src/discord/admin/statistics-store.ts';
import { checkMember } from '../../src/discord/roles/member-check.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { rowHolder } from '../support/row-holder.ts';
import { until } from '../support/until.ts';

/** Checks on request: by /verify, by /why, or in the dashboard. */
let world: RoleWorld;
let roles: RoleCopy;
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

it('repeated requests during a check cost the chain only that check', async () => {
  await holding(1);
  const gate = Promise.withResolvers<void>();
  world.holdings.gate = gate.promise;
  const asked = Array.from({ length: 10 }, () => roles.checkNow(guildId, gwen, 'asked'));
  await until('the check is running', () => world.holdings.singleReads.length > 0);
  gate.resolve();
  for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ answer: 'holds' });
  expect(world.holdings.singleReads).toEqual([walletOf(1)]);
  await roles.checkNow(guildId, gwen, 'asked');
  expect(world.holdings.singleReads).toHaveLength(2);
});

it('one check per member runs at a time, for all requests, causes and copies', async () => {
  await holding(1);
  const gate = Promise.withResolvers<void>();
  world.holdings.gate = gate.promise;
  let joined = 0;
  const changes = {
    ...world.changes,
    subscribe: (topic: string, onChange: () => void) => {
      joined += 1;
      return world.changes.subscribe(topic, onChange);
    },
  };
  roles.start();
  const asked = (['verified', 'asked', 'asked-by-admin'] as const).map((cause) => roles.checkNow(guildId, gwen, cause));
  await until('it is read', () => world.holdings.singleReads.length > 0);
  const elsewhere = [world.copy({ changes }), world.copy({ changes })];
  asked.push(...elsewhere.map((copy) => copy.checkNow(guildId, gwen, 'asked')));
  await until('the other copies wait for it', () => joined >= elsewhere.length);
  gate.resolve();
  for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ answer: 'holds' });
  expect(world.holdings.singleReads).toEqual([walletOf(1)]);
});

it('a request that starts waiting at the moment a check ends is still answered', async () => {
  await holding(1);
  const changes = {
    ...world.changes,
    subscribe: (topic: string, onChange: () => void) => {
      ended = world.rows('update discord_members set check_due_at = null');
      return world.changes.subscribe(topic, onChange);
    },
  };
  let ended: Promise<unknown> = Promise.resolve();
  await Promise.all([world.copy({ changes }).checkNow(guildId, gwen, 'asked'), ended]);
  expect(world.holdings.singleReads).toEqual([]);
});

it('asking again within half a minute costs the chain nothing, unless a wallet was linked since', async () => {
  await holding(1);
  const reads = () => world.holdings.singleReads.length;
  const ask = () => roles.ask(guildId, gwen);
  expect(await ask()).toMatchObject({ answer: 'holds' });
  expect([await ask(), reads()]).toMatchObject([{ answer: 'holds' }, 1]);
  await world.link(roles, gwen, [walletOf(2)]);
  await ask();
  expect(reads()).toBe(3);
  world.holdings.set(walletOf(1), 'unknown');
  await world.elapse(0.6);
  await ask();
  expect(await ask()).toMatchObject({ answer: 'unknown' });
  expect(reads()).toBe(5);
  // A server whose clock is slow does not take old answers for new ones.
  await world.elapse(5);
  await world.copy({ clock: { now: () => new Date(Date.now() - 3_600_000) } }).ask(guildId, gwen);
  expect(reads()).toBe(7);
});

it('the wallets of a member are read two at a time, so that everyone else’s requests get their turn', async () => {
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

it('a member who comes back at the moment they are found to be away is checked', async () => {
  await holding(1);
  await world.rows('update discord_members set is_in_guild = false, check_due_at = clock_timestamp()');
  const other = await rowHolder(world.database.pool);
  await other.hold('discord_members', 'true', []);
  const checked = checkMember(
    { db: typedKysely(world.database.pool), ownership: world.holdings.ownership, clock: systemClock },
    { guildId, userId: gwen, cause: 'joined' },
    new AbortController().signal,
  );
  await other.isWaitedFor();
  await other.change(
    "update discord_members set is_in_guild = true, check_due_at = clock_timestamp(), check_cause = 'joined'",
    [],
  );
  await other.end();
  await checked;
  expect(await world.member(gwen)).toMatchObject({ check_cause: 'joined', check_due_at: expect.any(Date) as Date });
});

it('when a wallet is linked during a check, nothing follows from the check, and all wallets are read half a minute later', async () => {
  await holding(1);
  await roles.checkNow(guildId, gwen, 'asked');
  world.holdings.set(walletOf(1), 0);
  world.holdings.set(walletOf(2), 1);
  const gate = Promise.withResolvers<void>();
  world.holdings.gate = gate.promise;
  const asked = roles.checkNow(guildId, gwen, 'asked-by-admin');
  await until('the check is running', () => world.holdings.singleReads.length > 1);
  await world.link(roles, gwen, [walletOf(2)]);
  gate.resolve();
  expect(await asked).toMatchObject({ roleState: 'holder', answer: 'holds' });
  const waits =
    'select extract(epoch from check_due_at - clock_timestamp()) between 20 and 30 as waits from discord_members';
  expect(await world.rows(waits)).toEqual([{ waits: true }]);
  roles.start();
  await world.elapse(0.5);
  await until('both are read', async () => (await world.member(gwen))['check_due_at'] === null);
  expect(await world.member(gwen)).toMatchObject({ answer: 'holds', role_state: 'holder' });
});

it('a wallet unlinked during a check does not count, but the check does', async () => {
  await world.link(roles, gwen, [walletOf(1), walletOf(2)]);
  world.holdings.set(walletOf(1), 1);
  await roles.checkNow(guildId, gwen, 'asked');
  const gate = Promise.withResolvers<void>();
  world.holdings.gate = gate.promise;
  const before = world.holdings.singleReads.length;
  const asked = roles.checkNow(guildId, gwen, 'asked-by-admin');
  await until('the check is running', () => world.holdings.singleReads.length > before);
  const actor = { kind: 'discord', userId: gwen, name: 'Gwen' } as const;
  await roles.unlinkWallet(guildId, gwen, walletOf(1), actor);
  gate.resolve();
  expect(await asked).toMatchObject({ roleState: 'doubt', answer: 'does-not-hold' });
});

it.each([
  ['in force', 'holds'],
  ['expired', 'does-not-hold'],
])('an authorization that is %s: the wallet counts as %s', async (when, answer) => {
  await world.link(roles, gwen, [walletOf(1)]);
  await world.rows(
    `insert into discord_authorized_wallets (guild_id, wallet, reason, added_by, expires_at)
     values ($1, $2, 'Partner', 'chief', clock_timestamp() + $3::int * interval '1 minute')`,
    [guildId, walletOf(1), when === 'expired' ? -1 : 1],
  );
  expect(await roles.checkNow(guildId, gwen, 'asked')).toMatchObject({ answer });
  expect(await readGuildFigures(typedKysely(world.database.pool), guildId)).toMatchObject({
    authorizedWalletCount: when === 'expired' ? 0 : 1,
  });
});
