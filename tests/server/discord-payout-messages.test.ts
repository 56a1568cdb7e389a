import { afterEach, beforeEach, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { enqueuePaidMessages } from '../../src/discord/roles/payout-messages.ts';
import type { PaidPayout } from '../../src/payouts/payouts-contract.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Who gets a message about a payout, and that role changes do not wait for it. */
let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const asGwen = { kind: 'discord', userId: gwen, name: 'Gwen' } as const;
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());
const { hold } = memberStories(
  () => world,
  () => roles,
);

const ask = (guild = guildId, wants = true) =>
  roles.askForPayoutMessages({ guildId: guild, userId: gwen }, wants, asGwen);
const paidTo = (numbers: readonly number[], more: Partial<PaidPayout> = {}): PaidPayout => ({
  id: 3,
  title: 'October',
  url: 'https://rocks.example/payouts/3',
  paid: numbers.map((number) => ({
    address: walletOf(number),
    amount: '1.5 SUI',
    rocks: number,
    // The database stores smaller fractions of a second.
    at: new Date(Date.now() + 1_000),
    transactionUrl: 'https://explorer.example/tx/abc',
  })),
  openAddresses: new Set(),
  ...more,
});
const paidAt = (numbers: readonly number[], at: Date): PaidPayout => ({
  ...paidTo([]),
  paid: paidTo(numbers).paid.map((line) => ({ ...line, at })),
});
const tell = (payout: PaidPayout): Promise<void> => enqueuePaidMessages(typedKysely(world.database.pool), payout);
const messages = () =>
  world.rows('select user_id, content, due_at from discord_direct_messages where payout is not null');
const notes = () => world.rows('select user_id from discord_direct_messages');
/** As if Discord had been down for that long. */
const messageIsHoursOld = (hours: number) =>
  world.rows(
    `update discord_direct_messages set due_at = clock_timestamp(), told_at = told_at - $1 * interval '1 hour'`,
    [hours],
  );

it('many copies that find the payment at the same moment queue one message', async () => {
  await world.link(roles, gwen, [walletOf(1), walletOf(2)]);
  await ask();
  await Promise.all(Array.from({ length: 12 }, () => tell(paidTo([1, 2]))));
  const queued = await messages();
  expect(queued).toHaveLength(1);
  expect(queued[0]?.['content']).toMatch(/1\.5 SUI for 1 rock,.*\n.*1\.5 SUI for 2 rocks,/);
});

it('a member of two servers gets one message, about the wallets in both', async () => {
  const other = await world.server({ guildId: '700000000000000009' });
  await world.link(roles, gwen, [walletOf(1)]);
  await world.link(roles, gwen, [walletOf(2)], other);
  await ask();
  await ask(other);
  await tell(paidTo([1, 2]));
  expect(await messages()).toHaveLength(1);
  expect((await messages())[0]?.['content']).toMatch(/for 1 rock,.*\n.*for 2 rocks,/);
});

it('a wallet that is not paid yet is mentioned, and causes no second message when it is', async () => {
  await world.link(roles, gwen, [walletOf(1), walletOf(2)]);
  await ask();
  await tell(paidTo([1], { openAddresses: new Set([walletOf(2), walletOf(7)]) }));
  await tell(paidTo([1, 2]));
  expect(await messages()).toHaveLength(1);
  expect((await messages())[0]?.['content']).toContain('1 of your other wallets is not paid yet');
});

it('members who did not ask, asked or linked the wallet later, or have left get no message; asking again brings no second one', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  await tell(paidTo([1]));
  await ask();
  await tell(paidAt([1], new Date((await now()) - 60_000)));
  await world.link(roles, gwen, [walletOf(2)]);
  const earlier = new Date((await now()) - 60_000);
  await world.rows('update discord_members set payout_messages_since = $1', [new Date(earlier.getTime() - 1_000)]);
  await tell(paidAt([2], earlier));
  await world.rows('update discord_members set is_in_guild = false');
  await tell(paidTo([1]));
  expect(await messages()).toEqual([]);
  await world.rows('update discord_members set is_in_guild = true');
  await tell(paidTo([1]));
  await ask(guildId, false);
  await ask();
  await tell(paidTo([1]));
  expect(await messages()).toHaveLength(1);
});

const now = async (): Promise<number> => {
  const [row] = await world.rows('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  return Number(row?.['ms']);
};

it('a message that Discord does not accept holds up no role change, and is still retried after 23 hours', async () => {
  await hold(1);
  await ask();
  let tries = 0;
  world.answer = ({ kind }) => {
    if (kind !== 'message') return undefined;
    tries += 1;
    return new Unavailable('network', 'Discord is away.');
  };
  await tell(paidTo([1]));
  await until('it was tried', () => tries === 1);
  await world.rows("update discord_members set role_state = 'none'");
  await world.rows(
    `update discord_member_roles set wanted = 'remove-role', cause = 'data-deleted', due_at = clock_timestamp()`,
  );
  await until('the role is taken', () => !world.roleHolders.has(gwen));
  await messageIsHoursOld(23);
  await until('it was tried again', () => tries > 1);
  expect((await messages())[0]?.['due_at']).not.toBeNull();
  world.answer = () => undefined;
  await messageIsHoursOld(0);
  await until('it is sent', async () => (await messages())[0]?.['due_at'] === null);
  expect(world.done.filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

it('while Discord treats the bot as spam no message is sent, and the waiting ones are sent afterwards', async () => {
  for (const number of [1, 2, 3]) {
    await world.link(roles, userOf(number), [walletOf(number)]);
    await roles.askForPayoutMessages({ guildId, userId: userOf(number) }, true, asGwen);
  }
  await tell(paidTo([1, 2, 3]));
  let tries = 0;
  world.answer = ({ kind }) => {
    if (kind !== 'message') return undefined;
    tries += 1;
    return { kind: 'limited', retryAfterMs: 600_000 };
  };
  roles.start();
  const soonest = async () =>
    (await world.rows("select min(due_at) > now() + interval '9 minutes' as waits from discord_direct_messages"))[0];
  await until('all of them wait', async () => (await soonest())?.['waits'] === true);
  expect(tries).toBe(1);
  world.answer = () => undefined;
  await world.elapse(10.1);
  await until('all are sent', () => world.done.filter(({ kind }) => kind === 'message').length === 3);
  const gaps = world.done
    .filter(({ kind }) => kind === 'message')
    .map(({ atMs }, at, all) => atMs - (all[at - 1]?.atMs ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(900);
});

it('a waiting message is sent although a member who was about to lose the role holds again, unless it is no longer wanted', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  await ask();
  await tell(paidTo([1]));
  await tell(paidTo([1], { id: 4, title: 'November' }));
  await world.rows("update discord_members set role_state = 'grace', check_due_at = clock_timestamp()");
  world.holdings.set(walletOf(1), 1);
  roles.start();
  await until('both are sent', async () => (await messages()).every((message) => message['due_at'] === null));
  await world.quiet();
  await roles.stop();
  await tell(paidTo([1], { id: 5, title: 'December' }));
  await ask(guildId, false);
  const again = world.copy();
  again.start();
  await until('it is dropped', async () => (await messages()).every((message) => message['due_at'] === null));
  expect(world.done.filter(({ kind }) => kind === 'message')).toHaveLength(2);
});

it('unlinking the last wallet switches the messages off, and deleting the data in the last server deletes the record of sent ones', async () => {
  const other = await world.server({ guildId: '700000000000000009' });
  for (const guild of [guildId, other]) await world.link(roles, gwen, [walletOf(1), walletOf(2)], guild);
  await ask();
  await tell(paidTo([1]));
  await roles.unlinkWallet(guildId, gwen, walletOf(1), asGwen);
  expect((await world.member(gwen))['payout_messages_since']).not.toBeNull();
  await roles.unlinkWallet(guildId, gwen, walletOf(2), asGwen);
  expect((await world.member(gwen))['payout_messages_since']).toBeNull();
  await ask();
  expect((await world.member(gwen))['payout_messages_since']).toBeNull();
  await roles.deleteMember(guildId, gwen, asGwen);
  expect(await notes()).toHaveLength(1);
  await roles.deleteMember(other, gwen, asGwen);
  expect(await notes()).toEqual([]);
  expect(JSON.stringify(await world.rows('select * from discord_direct_messages'))).not.toContain('October');
});

it('the log says who switched the messages on or off, once for each change', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  await ask();
  await ask();
  await ask(guildId, false);
  const entries = await world.rows(
    "select before, after from audit_entries where action = 'discord-payout-messages-set' order by id",
  );
  expect(entries).toEqual([
    { before: { payoutMessages: false }, after: { payoutMessages: true } },
    { before: { payoutMessages: true }, after: { payoutMessages: false } },
  ]);
});

it('a member who deletes their data loses the message that still waits, and gets none when the payout is handled again', async () => {
  await world.link(roles, gwen, [walletOf(1)]);
  await ask();
  world.answer = ({ kind }) => (kind === 'message' ? new Unavailable('network', 'Discord is away.') : undefined);
  await tell(paidTo([1]));
  expect(await messages()).toHaveLength(1);
  await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Granite' });
  expect(await messages()).toEqual([]);
  await tell(paidTo([1]));
  expect(await messages()).toEqual([]);
});
