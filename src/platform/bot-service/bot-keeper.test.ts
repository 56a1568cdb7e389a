import { once } from 'node:events';

import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts';
import { databaseLine, type DatabaseLine } from '../../../tests/support/database-line.ts';
import { until } from '../../../tests/support/until.ts';
import { createPool, kyselyOver } from '../../db/connect.ts';
import { silentLog } from '../../db/database-log.ts';
import { createLeases, type LeaseTables } from '../leases.ts';
import { type BotKeeper, createBotKeeper } from './bot-keeper.ts';
import type { BotTurnDeps } from './bot-turn.ts';
import { createServiceStore } from './service-store.ts';

/** A question that is not answered outlives a lease by far, as with the limits of production. */
const limits = { connectMs: 500, statementMs: 3_000, silentMs: 4_000 };
const pace = { leaseMs: 1_500, heartbeatMs: 300, firstRetryMs: 100, longestRetryMs: 500 };

let database: TestDatabase;
let line: DatabaseLine;
let pool: Pool;
/** Who began and who ended, in that order. */
let told: string[] = [];
beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query("update discord_service set wanted = 'active'");
  line = await databaseLine(database.url);
  pool = createPool(line.url, silentLog, limits);
  told = [];
});
afterEach(async () => {
  await pool.end();
  await line.end();
  await database.drop();
});

function keeperOf(name: string, through: Pool, given: Partial<BotTurnDeps> = {}): BotKeeper {
  const db = kyselyOver<LeaseTables>(through);
  const leases = createLeases(db, { holder: name });
  return createBotKeeper({
    label: 'bot',
    store: createServiceStore(db, leases, 'discord_service'),
    leases,
    run: async ({ connected }, stop) => {
      told.push(`${name} begins`);
      connected({ id: '1', username: 'bot' });
      if (!stop.aborted) await once(stop, 'abort');
      told.push(`${name} ends`);
    },
    announce: () => {},
    onWish: () => () => {},
    failureOf: () => null,
    log: silentLog,
    pace,
    ...given,
  });
}

test('a copy whose database keeps silent lets go of the bot before another copy can have it, and goes on later', async () => {
  const [one, two] = [keeperOf('one', pool), keeperOf('two', database.pool)];
  one.start();
  await until('one runs it', () => told.includes('one begins'));
  two.start();
  line.silence();
  await until('two runs it', () => told.includes('two begins'));
  expect(told).toEqual(['one begins', 'one ends', 'two begins']);
  await line.mend();
  await two.stop();
  await until('one runs it again', () => told.length === 5);
  expect(told.slice(3)).toEqual(['two ends', 'one begins']);
  await one.stop();
}, 20_000);

test('a lease that is renewed is kept for as long as it is wanted', async () => {
  const one = keeperOf('one', pool);
  one.start();
  await until('one runs it', () => told.includes('one begins'));
  const endsAtMs = performance.now() + 2 * pace.leaseMs;
  await until('two leases have passed', () => performance.now() > endsAtMs);
  expect(told).toEqual(['one begins']);
  await one.stop();
  expect(told).toEqual(['one begins', 'one ends']);
});

test('a database that is away is told once, and once when it is back', async () => {
  await database.pool.query("update discord_service set wanted = 'inactive'");
  const said: string[] = [];
  const note = (_: object, sentence: string): void => void said.push(sentence);
  const one = keeperOf('one', pool, { log: { info: note, warn: note, error: note } });
  line.cut();
  one.start();
  const endsAtMs = performance.now() + 4 * pace.heartbeatMs;
  await until('it has looked some times', () => performance.now() > endsAtMs);
  await line.mend();
  await until('it is back', () => said.some((sentence) => sentence.includes('it works again')));
  await one.stop();
  expect(said).toEqual([
    'The bot could not read its wanted state; trying again',
    'The bot could not read its wanted state for a while; it works again',
  ]);
});

test('a bot that fails is not tried again once nobody wants it, also when that was not heard', async () => {
  const run = async (): Promise<void> => {
    told.push('one fails');
    throw new Error('refused');
  };
  const one = keeperOf('one', pool, {
    run,
    pace: { ...pace, firstRetryMs: 300, heartbeatMs: 10_000, leaseMs: 40_000 },
  });
  const stateIs = async (state: string): Promise<boolean> =>
    (await database.rows<{ state: string }>('select state from discord_service'))[0]?.state === state;
  one.start();
  await until('it fails', () => stateIs('failing'));
  await database.pool.query("update discord_service set wanted = 'inactive'");
  await until('it is off', () => stateIs('inactive'));
  expect(told).toEqual(['one fails']);
  await one.stop();
});
