import { afterAll, beforeAll, expect, test } from 'vitest';
import { Kysely, PostgresDialect } from 'kysely';

import { createSendGate } from '../../src/telegram/adapters/send-gate.ts';
import type { TelegramTables } from '../../src/telegram/adapters/tables.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

test('sixty replies in sixty chats at once pass twenty a second, and only the first in line asks again', async () => {
  let looks = 0;
  const db = new Kysely<TelegramTables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => {
      if (/from telegram_send_gate for no key update/.test(query.sql)) looks += 1;
    },
  });
  const gate = createSendGate(db);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 60 }, (_, index) => gate.pass(1_000 + index, 'change')));
  expect(performance.now() - startedMs).toBeGreaterThan(1_990);
  // One look each, and few more by whoever is first in line.
  expect(looks).toBeLessThan(80);
});
