import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { readDueWork } from '../../src/discord/roles/roles.ts';
import type { StatisticsAnswer } from '../../src/discord/members-contract.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

type Waiting = NonNullable<StatisticsAnswer['waitingRemoval']>;

/** Rulings R5: a removal of more than 10 members and more than 20 % stops, and waits for an admin's decision. */
let world: RoleWorld;
const { settle, sweepNow, roleStates } = roleStories(() => world);
beforeEach(async () => void (world = await startRoleWorld(await testDatabase())));
afterEach(() => world.end());

describe('The brake on mass removals', () => {
  const many = 30;
  const sellAll = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) world.holdings.set(walletOf(number), 0);
  };
  /** Everyone's first and second check, by the engine alone. */
  const lookTwice = async (): Promise<void> => {
    await sweepNow();
    await until('the first check is over', async () => ((await roleStates())['doubt'] ?? 0) > 0);
    await world.elapse(10.1);
  };
  const waitingId = async (): Promise<string> =>
    String((await world.rows("select id from discord_removal_batches where state = 'waiting'"))[0]?.['id']);
  const isBraked = async (count: number): Promise<boolean> => (await roleStates())['braked'] === count;

  const toldTo = async (roles: RoleCopy) => {
    const answer = await world.call(roles, 'GET', '/api/discord/guilds/{guildId}/statistics');
    const { body } = answer as never as { body: { data: { waitingRemoval: Waiting } } };
    return body.data.waitingRemoval;
  };

  /** 12 of the 30 have sold: the engine has stopped their removals. */
  const stopped = async (): Promise<RoleCopy> => {
    await world.server();
    await settle(many);
    await sellAll(12);
    const roles = world.copy();
    roles.start();
    await lookTwice();
    await until('they are stopped', () => isBraked(12));
    return roles;
  };

  it('stops all of them before anyone has lost the role or was notified, waits, and tells the admins', async () => {
    const roles = await stopped();
    expect(world.done).toEqual([]);
    expect(await world.audited()).toEqual(['discord-removal-stopped']);
    const told = await toldTo(roles);
    expect(told).toMatchObject({ removalCount: 12, holderCount: many });
    expect(told.members).toHaveLength(12);
    await world.elapse(600);
    await world.quiet();
    expect(await isBraked(12)).toBe(true);
    expect(world.done).toEqual([]);
  });

  it('counts members whose second check failed: nobody loses the role before their result is known', async () => {
    await world.server();
    await settle(36);
    await sellAll(14);
    const roles = world.copy();
    roles.start();
    await sweepNow();
    await until('the first check is over', async () => (await roleStates())['doubt'] === 14);
    const unread = Array.from({ length: 7 }, (_none, number) => walletOf(number));
    for (const wallet of unread) world.holdings.set(wallet, 'unknown');
    await world.elapse(10.1);
    await until('seven are decided', async () => (await roleStates())['grace'] === 7);
    const answers = "select count(*)::int as count from discord_members where answer = 'unknown'";
    await until('seven cannot be read', async () => (await world.rows(answers))[0]?.['count'] === 7);
    await sweepNow();
    await until('they are put off', async () => (await roleStates())['doubt'] === 7 && world.done.length === 0);
    for (const wallet of unread) world.holdings.set(wallet, 0);
    await world.elapse(5.1);
    await until('all of them are stopped', () => isBraked(14));
    expect(world.done).toEqual([]);
  });

  it('has an admin decide about members who have waited half an hour for others who cannot be read', async () => {
    await world.server();
    await settle(36);
    await sellAll(12);
    const roles = world.copy();
    roles.start();
    await sweepNow();
    await until('the first check is over', async () => (await roleStates())['doubt'] === 12);
    for (let number = 1; number < 12; number += 1) world.holdings.set(walletOf(number), 'unknown');
    await world.elapse(10.1);
    await until('one is decided', async () => (await roleStates())['grace'] === 1);
    await world.elapse(30.1);
    await until('it is stopped', () => isBraked(1));
    expect(await toldTo(roles)).toMatchObject({ removalCount: 1 });
    expect(world.done).toEqual([]);
  });

  it('treats a removal that has grown as a new one: a decision about fewer has no effect', async () => {
    const roles = await stopped();
    const { id, createdAt } = await toldTo(roles);
    await sellAll(15);
    await lookTwice();
    await until('the three are stopped as well', () => isBraked(15));
    const approve = (removalId: string) =>
      world.call(roles, 'POST', '/api/discord/removals/{removalId}/approve', { params: { removalId } });
    expect(await approve(id)).toMatchObject({ status: 404, body: { code: 'not-found' } });
    const told = await toldTo(roles);
    expect(told).toMatchObject({ removalCount: 15, members: { length: 15 } });
    expect(Date.parse(createdAt) - Date.parse(told.createdAt)).toBeCloseTo(10.1 * 60_000, -2);
    expect(await isBraked(15)).toBe(true);
    expect(world.done).toEqual([]);
    world.holdings.set(walletOf(0), 1);
    await roles.checkNow(guildId, userOf(0), 'asked');
    expect(await toldTo(roles)).toMatchObject({ id: told.id, removalCount: 14, members: { length: 14 } });
    expect(await approve(told.id)).toMatchObject({ status: 200 });
    await until('14 have lost it', async () => (await roleStates())['none'] === 14);
    const counts = `select after ->> 'removalCount' as count from audit_entries
      where action like 'discord-removal-%' order by id`;
    const [first, ...later] = await world.rows(counts);
    // The last of the twelve may have been found a moment after the stop.
    expect(['11', '12']).toContain(first?.['count']);
    expect(later).toEqual([{ count: '14' }]);
    expect(await world.rows('select 1 from discord_removal_batches')).toHaveLength(1);
  });

  it('after an approval notifies each member and removes the role after a fresh check, except from those who hold again', async () => {
    const roles = await stopped();
    await world.elapse(5);
    world.holdings.set(walletOf(0), 1);
    const path = '/api/discord/removals/{removalId}/approve';
    const params = { removalId: await waitingId() };
    expect(await world.call(roles, 'POST', path, { params })).toMatchObject({ status: 200 });
    await until('11 have lost it', async () => (await roleStates())['none'] === 11);
    await world.quiet();
    expect(await roleStates()).toEqual({ holder: many - 11, none: 11 });
    expect(world.done.filter(({ kind }) => kind === 'remove')).toHaveLength(11);
    const taken = Array.from({ length: 11 }, () => 'discord-role-taken');
    expect(await world.audited()).toEqual(['discord-removal-stopped', 'discord-removal-approved', ...taken]);
    const approved = "select decided_by from discord_removal_batches where state = 'approved'";
    expect(await world.rows(approved)).toEqual([{ decided_by: 'chief' }]);
    expect(await world.call(roles, 'POST', path, { params })).toMatchObject({
      status: 409,
      body: { code: 'already-decided' },
    });
  });

  it('after an approval also notifies members whose first message had not been sent before the stop', async () => {
    await world.server({ graceMinutes: 60 });
    await settle(many);
    world.answer = ({ kind }) => (kind === 'message' ? { kind: 'limited', retryAfterMs: 600_000 } : undefined);
    await sellAll(1);
    const roles = world.copy();
    roles.start();
    await lookTwice();
    const messages = (which: string) => world.rows(`select 1 from discord_direct_messages where ${which}`);
    await until(
      'the message waits',
      async () => (await messages("due_at > clock_timestamp() + '1 minute'")).length === 1,
    );
    await sellAll(11);
    await lookTwice();
    await until('all are stopped', () => isBraked(11));
    await world.elapse(10.1);
    await until('the message is not sent', async () => (await messages('due_at is not null')).length === 0);
    world.answer = () => undefined;
    const params = { removalId: await waitingId() };
    await world.call(roles, 'POST', '/api/discord/removals/{removalId}/approve', { params });
    await until('all have a message', () => new Set(world.done.map(({ userId }) => userId)).size === 11, 30_000);
    expect(new Set(world.done.map(({ kind, content }) => `${kind} ${content}`)).size).toBe(1);
    await world.elapse(60);
    await until('they have lost it', async () => (await roleStates())['none'] === 11);
  });

  it('does not count what an admin approved: the next member who sells is no mass removal', async () => {
    const roles = await stopped();
    const path = '/api/discord/removals/{removalId}/approve';
    await world.call(roles, 'POST', path, { params: { removalId: await waitingId() } });
    await until('12 have lost it', async () => (await roleStates())['none'] === 12);
    await sellAll(13);
    await lookTwice();
    await until('the thirteenth has lost it', async () => (await roleStates())['none'] === 13);
    expect(await waitingId()).toBe('undefined');
  });

  it('after a refusal lets them keep the role, even after later checks, until they hold again and sell again', async () => {
    const roles = await stopped();
    const path = '/api/discord/removals/{removalId}/refuse';
    expect(await world.call(roles, 'POST', path, { params: { removalId: await waitingId() } })).toMatchObject({
      status: 200,
    });
    await world.elapse(120);
    await roles.checkNow(guildId, userOf(1), 'asked');
    expect(await roleStates()).toEqual({ holder: many - 12, kept: 12 });
    world.holdings.set(walletOf(1), 1);
    expect(await roles.checkNow(guildId, userOf(1), 'asked')).toMatchObject({ roleState: 'holder' });
    expect(world.done).toEqual([]);
    expect(await world.call(roles, 'POST', path, { params: { removalId: '999' } })).toMatchObject({
      status: 404,
      body: { code: 'not-found', message: expect.stringContaining('no such removal') },
    });
  });

  it('ends by itself when so many hold again that it would not stop the rest', async () => {
    await stopped();
    for (let number = 0; number < 9; number += 1) world.holdings.set(walletOf(number), 1);
    await sweepNow();
    await until('the others lose the role', async () => (await roleStates())['none'] === 3);
    expect((await world.rows('select state from discord_removal_batches'))[0]).toEqual({ state: 'obsolete' });
    expect(world.done.filter(({ kind }) => kind === 'remove')).toHaveLength(3);
    expect(await roleStates()).toEqual({ holder: many - 3, none: 3 });
  });

  it('does no work in a server that the bot has left', async () => {
    await stopped();
    const db = typedKysely(world.database.pool);
    expect((await readDueWork(db))?.removals).toEqual([{ guildId }]);
    await world.rows('update discord_guilds set left_at = clock_timestamp()');
    expect((await readDueWork(db))?.removals).toEqual([]);
  });

  it.each([1, 12])('stops nothing and tells nobody where no role is chosen: %i of 15 sell', async (count) => {
    await world.server({ roleId: '', graceMinutes: 60 });
    await settle(15);
    await world.rows('update discord_members set has_role = null');
    await sellAll(count);
    const roles = world.copy();
    roles.start();
    await lookTwice();
    await until('they no longer count as holders', async () => (await roleStates())['none'] === count);
    await world.quiet();
    expect([world.done, await world.audited(), await waitingId()]).toEqual([[], [], 'undefined']);
  });

  it('lets eleven members of a large server go', async () => {
    await world.server();
    await settle(60);
    await sellAll(11);
    const roles = world.copy();
    roles.start();
    await lookTwice();
    await until('they have lost it', async () => (await roleStates())['none'] === 11);
    expect(await waitingId()).toBe('undefined');
  });
});
