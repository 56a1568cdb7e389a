import { expect, test } from 'vitest';

import { systemClock } from '../../src/process/in-time.ts';
import { testDatabase } from '../support/database.ts';
import { startOwnerWatch } from '../support/owner-watch.ts';

test('a stop that comes just before a message to the owner is sent is not held up by a platform that keeps silent', async () => {
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
