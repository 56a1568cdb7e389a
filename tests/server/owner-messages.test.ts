import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { systemClock } from '../../src/process/in-time.ts';
import type { SourceReading } from '../../src/shared/source-status.ts';
import { testDatabase } from '../support/database.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOwnerWatch } from '../support/owner-watch.ts';

test('a shutdown just before a message to the owner is sent is not delayed by a platform that does not answer', async () => {
  const database = await testDatabase();
  await database.rows("insert into owner_messages (text) values ('The Discord bot does not run.')");
  const stopped = Promise.withResolvers<void>();
  const voice = () => {
    void end().then(stopped.resolve);
    return new Promise<never>(() => {});
  };
  const settings = { databaseUrl: database.url, platform: 'telegram', chatId: '1', token: '1:x' } as const;
  const { check, end } = startOwnerWatch({ ...settings, apiUrl: 'http://127.0.0.1:1' }, { clock: systemClock, voice });
  void check();
  await stopped.promise;
  expect(await database.rows('select 1 from owner_messages where told_at is null')).toHaveLength(1);
  await database.drop();
});

test('the checks go on however slow the platform is', async () => {
  const database = await testDatabase();
  await database.rows("insert into owner_messages (text) values ('The Discord bot does not run.')");
  const asked = Promise.withResolvers<void>();
  const voice = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const settings = { databaseUrl: database.url, platform: 'telegram', chatId: '1', token: '1:x' } as const;
  const watch = startOwnerWatch({ ...settings, apiUrl: 'http://127.0.0.1:1' }, { clock: systemClock, voice });
  void watch.check();
  await asked.promise;
  const checkedAt = async () => (await database.rows("select since from owner_alarms where alarm = 'checked'"))[0];
  const before = await checkedAt();
  await watch.jobs[0]?.run({}, new AbortController().signal);
  expect(await checkedAt()).not.toEqual(before);
  await watch.end();
  await database.drop();
});

test('a restart does not end the alarm about a source that was never read', async () => {
  const database = await testDatabase();
  const clock = createManualClock(new Date());
  let sources: readonly SourceReading[] = [{ source: 'prices', readAt: null }];
  const said: string[] = [];
  const voice = async (text: string) => {
    said.push(text);
    return { kind: 'sent' } as const;
  };
  const settings = { databaseUrl: database.url, platform: 'telegram', chatId: '1', token: '1:x' } as const;
  const start = () =>
    startOwnerWatch({ ...settings, apiUrl: 'http://127.0.0.1:1' }, { clock, voice, sources: () => sources });
  let copy = start();
  const minutes = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count; passed += 1) {
      clock.advance(60_000);
      await copy.check();
    }
  };
  await minutes(18);
  await copy.end();
  copy = start();
  await minutes(18);
  expect(said).toEqual([expect.stringMatching(/^Sui Rocks: The price service cannot be read\./)]);
  sources = [{ source: 'prices', readAt: clock.now() }];
  await minutes(7);
  expect(said.slice(1)).toEqual([expect.stringMatching(/^Sui Rocks: The price service can be read again\./)]);
  await copy.end();
  await database.drop();
});

test('messages follow a Telegram group that becomes a supergroup, and the log says once what to change', async () => {
  const database = await testDatabase();
  const sandbox = await startSandbox({ telegramLimits: false });
  const [chatId = 0] = sandbox.telegram.createGroups({ count: 1, kind: 'group' });
  const { id: newId } = sandbox.telegram.migrateGroup({ chatId });
  let log = '';
  const settings = { databaseUrl: database.url, platform: 'telegram', chatId: String(chatId) } as const;
  const watch = startOwnerWatch(
    { ...settings, token: sandbox.facts.telegramBotToken, apiUrl: sandbox.urls.telegram },
    { clock: systemClock, write: (line) => void (log += line) },
  );
  await database.rows("insert into owner_messages (text) values ('The Discord bot does not run.'), ('It runs again.')");
  await watch.check();
  const said = sandbox.telegram
    .history(newId)
    .flatMap(({ from, text }) => (from.is_bot && text !== null ? [text] : []));
  expect(said).toEqual(['The Discord bot does not run.', 'It runs again.']);
  expect(log.match(new RegExp(`set ALARM_CHAT to telegram:${newId}`, 'g'))).toHaveLength(1);
  await watch.end();
  await sandbox.stop();
  await database.drop();
});
