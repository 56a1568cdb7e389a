import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type TestDatabase, testDatabase } from '../../tests/support/database.ts';
import { until } from '../../tests/support/until.ts';
import { silentLog } from '../db/outage.ts';
import { createJobs, type JobDefinition, type Jobs } from './jobs.ts';

/** When jobs run (rulings R7, docs/decisions/0030). */
const hourMs = 3_600_000;

let database: TestDatabase;
let copies: Jobs[];
let ran: number;
beforeEach(async () => {
  database = await testDatabase();
  copies = [];
  ran = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(copies.map((copy) => copy.stop()));
  await database.drop();
});

async function copyWith(job: Job): Promise<Jobs> {
  const copy = createJobs({ url: database.url, log: silentLog });
  copies.push(copy);
  copy.add(job);
  await copy.start();
  return copy;
}

type Job = JobDefinition<object>;

const counting = (everyMs: number, run: Job['run'] = async () => void (ran += 1)): Job => ({
  name: 'counting',
  everyMs,
  failing: 'Counting failed',
  run,
});

/** Until the waiting job runs, by the database's clock; null: no job waits. */
async function waitsForSeconds(): Promise<number | null> {
  const rows = await database.rows<{ seconds: number }>(
    `select extract(epoch from start_after - clock_timestamp())::float8 as seconds from pgboss.job
      where name = 'counting' and state < 'active'`,
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.seconds ?? null;
}

async function untilItWaits(): Promise<number> {
  let seconds: number | null = null;
  await until('it has run and waits', async () => ran > 0 && (seconds = await waitsForSeconds()) !== null);
  return seconds ?? 0;
}

test('once its queue exists, a job waits until the copy is started', async () => {
  const copy = createJobs({ url: database.url, log: silentLog });
  copies.push(copy);
  copy.add(counting(hourMs));
  await copy.createQueues();
  expect([await waitsForSeconds(), ran]).toEqual([expect.any(Number), 0]);
  await copy.start();
  await until('it ran', () => ran === 1);
});

describe.each([
  ['behind', -hourMs],
  ['ahead of', hourMs],
])('With a clock that is an hour %s the database’s', (_where, offsetMs) => {
  beforeEach(() => {
    const rightNow = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + offsetMs);
  });

  test('a repeating job waits as long as it should', async () => {
    await copyWith(counting(600_000));
    const seconds = await untilItWaits();
    expect(seconds).toBeGreaterThan(540);
    expect(seconds).toBeLessThanOrEqual(600);
    expect(ran).toBe(1);
  });

  test('a job sent for a time waits until then, and can be brought forward to an earlier one', async () => {
    const job = counting(4 * hourMs);
    const jobs = await copyWith(job);
    await untilItWaits();
    await jobs.send(job, {}, { inMs: 2 * hourMs });
    expect(Math.round(((await waitsForSeconds()) ?? 0) / 60)).toBe(120);
    await jobs.send(job, {}, { inMs: 3 * hourMs });
    expect(Math.round(((await waitsForSeconds()) ?? 0) / 60)).toBe(120);
    await jobs.send(job, {});
    await until('it ran again', () => ran === 2);
  });
});

describe('A repeating job runs at the start of the product', () => {
  test('even if an earlier setting would make it wait until tomorrow', async () => {
    const first = await copyWith(counting(24 * hourMs));
    expect(await untilItWaits()).toBeGreaterThan(hourMs / 1_000);
    await first.stop();
    await copyWith(counting(600_000));
    await until('it ran again', () => ran === 2);
    expect(await untilItWaits()).toBeLessThanOrEqual(600);
  });

  test('but after the run of another copy, not at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const job = counting(hourMs, async () => {
      most = Math.max(most, (running += 1));
      await gate.promise;
      running -= 1;
      ran += 1;
    });
    await copyWith(job);
    await until('it runs', () => running === 1);
    await Promise.all([copyWith(job), copyWith(job)]);
    gate.resolve();
    await until('it ran once more', () => ran === 2);
    expect(await untilItWaits()).toBeGreaterThan(3_540);
    expect([ran, most]).toEqual([2, 1]);
  });
});

test('What waits runs within seconds after the database’s clock was set back', async () => {
  await copyWith(counting(60_000));
  await untilItWaits();
  // The same as a clock that is set back by two hours.
  await database.pool.query(`update pgboss.job set start_after = start_after + interval '2 hours',
    created_on = created_on + interval '2 hours', started_on = started_on + interval '2 hours' where state < 'active'`);
  await until('it ran again', () => ran === 2, 20_000);
  expect(await untilItWaits()).toBeLessThanOrEqual(60);
});
