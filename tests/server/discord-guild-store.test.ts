import { afterAll, beforeAll, expect, it } from 'vitest';

import { createGuildStore } from '../../src/discord/adapters/guild-store.ts';
import type { DiscordTables } from '../../src/discord/adapters/tables.ts';
import { kyselyOver } from '../../src/platform/database/connect.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** Everybody of a server is looked at anew when the bot is new there or back, not with every word of the gateway. */
let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

const described = {
  guildId: '700000000000000001',
  name: 'Rock Mountain',
  ownerId: null,
  memberCount: 1,
  roles: [{ id: '700000000000000002', name: 'Rock Holder', position: 2, isManaged: false }],
  channels: [],
  botPermissions: '268435456',
  botTopPosition: 5,
};

it('a server is new when the bot joins it, and again when it comes back, and changed when roles or permissions are', async () => {
  const guilds = createGuildStore(kyselyOver<DiscordTables>(database.pool));
  const [isNew, hasChanged, neither] = [
    { isNew: true, hasChanged: false },
    { isNew: false, hasChanged: true },
    { isNew: false, hasChanged: false },
  ];
  expect(await guilds.save(described)).toEqual(isNew);
  expect(await guilds.save(described)).toEqual(neither);
  expect(await guilds.save({ ...described, name: 'Rock Hill', memberCount: 2 })).toEqual(neither);
  expect(await guilds.save({ ...described, botTopPosition: 1 })).toEqual(hasChanged);
  expect(await guilds.save({ ...described, botTopPosition: 1, roles: [] })).toEqual(hasChanged);
  expect(await guilds.save({ ...described, botTopPosition: 1, roles: [], botPermissions: '0' })).toEqual(hasChanged);
  await database.pool.query('update discord_guilds set left_at = clock_timestamp()');
  expect(await guilds.save(described)).toEqual(isNew);
  expect(await guilds.save(described)).toEqual(neither);
});
