import { once } from 'node:events';

import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../../tests/support/database.ts';
import { databaseLine, type DatabaseLine } from '../../tests/support/database-line.ts';
import { until } from '../../tests/support/until.ts';
import { createPool, typedKysely } from '../db/connect.ts';
import { silentLog } from '../db/outage.ts';
import { createBotRunner, type BotRunnerDeps, retryMs, botPace } from './bot-runner.ts';
import { createServiceStore } from './service-store.ts';

const limits = { connectMs: 500, statementMs: 3_000, answerTimeoutMs: 4_000 };
const pace = { firstRetryMs: 100, longestRetryMs: 500 };

let database: TestDatabase;
let line: DatabaseLine;
let pool: Pool;
/** Which copies began and ended, in order. */
let seen: string[] = [];
let wishes: Set<() => void>;
beforeEach(async () => {
  database = await testDatabase();
  await want('active');
  line = await databaseLine(database.url);
  pool = createPool(line.url, silentLog, limits);
  seen = [];
  wishes = new Set();
});
afterEach(async () => {
  await pool.end();
  await line.end();
  await database.drop();
});

const want = (wanted: string) => database.pool.query('update discord_service set wanted = $1', [wanted]);
const stateIs = (state: string) =>
  until(`it is ${state}`, async () => {
    const rows = await database.rows<{ state: string }>('select state from discord_service');
    return rows[0]?.state === state;
  });

function runnerOf(name: string, through: Pool, given: Partial<BotRunnerDeps> = {}) {
  return createBotRunner({
    url: through === pool ? line.url : database.url,
    label: 'bot',
    store: createServiceStore(typedKysely(through), 'discord'),
    run: async ({ connected }, stop) => {
      seen.push(`${name} begins`);
      connected({ id: '1', username: 'bot' });
      if (!stop.aborted) await once(stop, 'abort');
      seen.push(`${name} ends`);
    },
    changes: {
      subscribe: (_topic, check) => {
        wishes.add(check);
        return () => wishes.delete(check);
      },
    },
    failureOf: () => null,
    log: silentLog,
    pace,
    ...given,
  });
}

test('a copy whose database stops answering stops the bot before another copy can start it, and runs it again later', async () => {
  const [one, two] = [runnerOf('one', pool), runnerOf('two', database.pool)];
  one.start();
  await until('one runs it', () => seen.includes('one begins'));
  two.start();
  line.silence();
  await until('two runs it', () => seen.includes('two begins'));
  expect(seen).toEqual(['one begins', 'one ends', 'two begins']);
  await line.mend();
  await two.stop();
  await until('one runs it again', () => seen.length === 5);
  expect(seen.slice(3)).toEqual(['two ends', 'one begins']);
  await one.stop();
}, 30_000);

test('the bot runs while it is wanted', async () => {
  await want('inactive');
  const one = runnerOf('one', database.pool);
  one.start();
  await stateIs('inactive');
  await until('it listens', () => wishes.size > 0);
  await want('active');
  for (const check of wishes) check();
  await stateIs('active');
  await want('inactive');
  for (const check of wishes) check();
  await stateIs('inactive');
  expect(seen).toEqual(['one begins', 'one ends']);
  await one.stop();
});

test('work beside the bot continues while the platform refuses the bot, and ends when the bot is no longer wanted', async () => {
  const one = runnerOf('one', database.pool, {
    run: () => {
      seen.push('refused');
      return Promise.reject(new Error('409'));
    },
    runBeside: async (_service, over) => {
      seen.push('besides begins');
      await once(over, 'abort');
      seen.push('besides ends');
    },
  });
  one.start();
  await until('it was refused twice', () => seen.filter((each) => each === 'refused').length > 1);
  expect(seen.filter((each) => each !== 'refused')).toEqual(['besides begins']);
  await want('inactive');
  for (const check of wishes) check();
  await until('it is over', () => seen.includes('besides ends'));
  await one.stop();
});

test('a stopped bot records its state once, even though its own signal reaches it again', async () => {
  await database.pool.query("update discord_service set wanted = 'inactive', state = 'active'");
  let [looks, records] = [0, 0];
  const store = createServiceStore(typedKysely(database.pool), 'discord');
  const counting = {
    ...store,
    read: () => ((looks += 1), store.read()),
    record: (report: Parameters<typeof store.record>[0]) => ((records += 1), store.record(report)),
  };
  const one = runnerOf('one', database.pool, { store: counting });
  one.start();
  await stateIs('inactive');
  await until('it listens', () => wishes.size > 0);
  for (let signal = 0; signal < 5; signal += 1) {
    const before = looks;
    for (const check of wishes) check();
    await until('it has looked', () => looks > before);
  }
  expect(records).toBe(1);
  await one.stop();
});

test('a database outage is logged once, and its end once', async () => {
  const said: string[] = [];
  const note = (_: object, sentence: string): void => void said.push(sentence);
  const one = runnerOf('one', pool, { log: { info: note, warn: note, error: note } });
  line.cut();
  one.start();
  await until('it has tried', () => said.length > 0);
  await line.mend();
  await until('it is back', () => said.some((sentence) => sentence.includes('it works again')));
  await one.stop();
  expect(said.slice(0, 2)).toEqual([
    "The lock 'discord bot' could not be kept; trying again",
    "The lock 'discord bot' could not be kept for a while; it works again",
  ]);
});

test('a failing bot that is no longer wanted is not retried, even if the signal was lost', async () => {
  const run = async (): Promise<void> => {
    seen.push('one fails');
    throw new Error('refused');
  };
  const one = runnerOf('one', database.pool, { run, pace: { ...pace, firstRetryMs: 300 } });
  one.start();
  await stateIs('failing');
  await want('inactive');
  await stateIs('inactive');
  expect(seen).toEqual(['one fails']);
  await one.stop();
});

test('a bot that does not run is retried after 1 s, then after ever longer waits of at most 30 s', () => {
  expect([1, 2, 3, 5, 6, 1_000].map((failures) => retryMs(botPace, failures, 0))).toEqual([
    1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
  ]);
});

test('a wait that the platform asks for is kept, up to five minutes', () => {
  expect([2_000, 45_000, 300_000, 1e12].map((askedMs) => retryMs(botPace, 3, askedMs))).toEqual([
    4_000, 45_000, 300_000, 300_000,
  ]);
});
