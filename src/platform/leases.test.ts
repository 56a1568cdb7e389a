import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { testDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { kyselyOver } from '../db/connect.ts';
import { createLeases, type Lease, type Leases, type LeaseTables } from './leases.ts';

const longMs = 60_000;
const shortMs = 30;

let database: TestDatabase;
let db: Kysely<LeaseTables>;
let one: Leases;
let two: Leases;

beforeEach(async () => {
  database = await testDatabase();
  db = kyselyOver<LeaseTables>(database.pool);
  one = createLeases(db, { holder: 'copy one' });
  two = createLeases(db, { holder: 'copy two' });
});

afterEach(() => database.drop());

async function acquired(leases: Leases, ttlMs: number): Promise<Lease> {
  const lease = await leases.acquire('telegram-polling', ttlMs);
  if (lease === null) throw new Error('The lease was expected to be free.');
  return lease;
}

test('Of two copies one gets the lease; the other gets it after a release', async () => {
  const first = await acquired(one, longMs);
  expect(await two.acquire('telegram-polling', longMs)).toBeNull();
  await one.release(first);
  expect(await acquired(two, longMs)).toEqual({ name: 'telegram-polling', token: first.token + 1n });
});

test('Twenty attempts at once end with one holder', async () => {
  const attempts = await Promise.all(Array.from({ length: 20 }, () => one.acquire('telegram-polling', longMs)));
  expect(attempts.filter((lease) => lease !== null)).toHaveLength(1);
});

test('Leases of different names do not hinder each other', async () => {
  await acquired(one, longMs);
  expect(await two.acquire('discord-gateway', longMs)).toEqual({ name: 'discord-gateway', token: 1n });
});

test('A lease that nobody renews passes to another copy, with a greater token', async () => {
  const dead = await acquired(one, shortMs);
  const next = await vi.waitUntil(() => two.acquire('telegram-polling', longMs), { timeout: 5_000, interval: 5 });
  expect(next?.token).toBe(dead.token + 1n);
});

test('A renewed lease stays with its holder; one that was lost cannot be renewed or given back', async () => {
  const kept = await acquired(one, longMs);
  expect(await one.renew(kept, shortMs)).toBe(true);
  const next = await vi.waitUntil(() => two.acquire('telegram-polling', longMs), { timeout: 5_000, interval: 5 });
  expect(await one.renew(kept, longMs)).toBe(false);
  await one.release(kept);
  expect(next !== null && (await two.renew(next, longMs))).toBe(true);
});

test('An expired lease cannot be renewed even when nobody else took it', async () => {
  const lease = await acquired(one, shortMs);
  await vi.waitFor(async () => expect(await db.transaction().execute((work) => one.holds(work, lease))).toBe(false));
  expect(await one.renew(lease, longMs)).toBe(false);
});

test('Work of a holder that lost its lease without noticing does not count', async () => {
  const paused = await acquired(one, shortMs);
  await vi.waitUntil(() => two.acquire('telegram-polling', longMs), { timeout: 5_000, interval: 5 });
  expect(await db.transaction().execute((work) => one.holds(work, paused))).toBe(false);
});

test('While a transaction relies on the lease nobody takes it over', async () => {
  const lease = await acquired(one, 200);
  const takeover = await db.transaction().execute(async (work) => {
    expect(await one.holds(work, lease)).toBe(true);
    const attempt = vi.waitUntil(() => two.acquire('telegram-polling', longMs), { timeout: 5_000, interval: 5 });
    const winner = await Promise.race([attempt.then(() => 'takeover'), untilExpired().then(() => 'expired')]);
    expect(winner).toBe('expired');
    return { attempt };
  });
  expect((await takeover.attempt)?.token).toBe(lease.token + 1n);
});

/** Resolves a good while after the lease's time is over, by the database's clock. */
function untilExpired(): Promise<unknown> {
  const query = `select 1 from leases where expires_at < clock_timestamp() - interval '100 ms'`;
  return vi.waitUntil(async () => (await database.pool.query(query)).rowCount === 1, { timeout: 5_000, interval: 5 });
}
