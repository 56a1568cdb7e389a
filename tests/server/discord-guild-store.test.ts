import { afterAll, beforeAll, expect, it } from 'vitest';

import { channelPostJob, createDiscordPosting } from '../../src/discord/channel-posts.ts';
import { enqueueNotices } from '../../src/discord/roles/direct-messages.ts';
import { createGuildStore } from '../../src/discord/servers/guild-store.ts';
import { createGuildRegister, saveGuild } from '../../src/discord/servers/guild-register.ts';
import type { DescribedGuild } from '../../src/discord/servers/rules/known-guild.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** Everyone in a server is checked again when the bot is new there or back, not on every gateway event. */
let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

const described = {
  guildId: '700000000000000001',
  name: 'Rock Mountain',
  memberCount: 1,
  roles: [{ id: '700000000000000002', name: 'Rock Holder', position: 2, isManaged: false }],
  channels: [],
  botPermissions: '268435456',
  botTopPosition: 5,
};

it('a server is new when the bot joins it or comes back, and changed when its roles or permissions change', async () => {
  const db = typedKysely(database.pool);
  const save = (guild: DescribedGuild) => db.transaction().execute((transaction) => saveGuild(transaction, guild));
  const [isNew, hasChanged, neither] = [
    { isNew: true, hasChanged: false },
    { isNew: false, hasChanged: true },
    { isNew: false, hasChanged: false },
  ];
  expect(await save(described)).toEqual(isNew);
  expect(await save(described)).toEqual(neither);
  expect(await save({ ...described, name: 'Rock Hill', memberCount: 2 })).toEqual(neither);
  expect(await save({ ...described, botTopPosition: 1 })).toEqual(hasChanged);
  expect(await save({ ...described, botTopPosition: 1, roles: [] })).toEqual(hasChanged);
  expect(await save({ ...described, botTopPosition: 1, roles: [], botPermissions: '0' })).toEqual(hasChanged);
  await database.pool.query('update discord_guilds set left_at = clock_timestamp()');
  expect(await save(described)).toEqual(isNew);
  expect(await save(described)).toEqual(neither);
});

it.each([
  [1e12, 2_147_483_647],
  [-1, null],
  [Number.NaN, null],
])('a server is stored even if Discord says that it has %s members', async (memberCount, kept) => {
  const db = typedKysely(database.pool);
  const guild = { ...described, guildId: '700000000000000009', memberCount };
  await db.transaction().execute((transaction) => saveGuild(transaction, guild));
  expect(await createGuildStore(db).read(guild.guildId)).toMatchObject({ memberCount: kept });
});

it('a server that is back is watched again even if the database failed and it had to be saved once more', async () => {
  const db = typedKysely(database.pool);
  await database.pool.query(
    `insert into tracked_collections (market_id, slug, name, is_verified) values ('market-1', 'rocks', 'Rocks', true);
     insert into discord_guild_configs (guild_id, nft_contract, nft_name, tracked_collection_id, updated_by, sweep_due_at)
       select guild_id, '0x77::rocks::Nft', 'Rocks', (select id from tracked_collections), 'chief', clock_timestamp() + interval '1 hour'
       from discord_guilds;
     update discord_guilds set left_at = clock_timestamp()`,
  );
  const watched: string[] = [];
  let isFailing = true;
  const register = createGuildRegister({
    db,
    watching: {
      watch: async (_listener, _id, guildId) => {
        if (isFailing) throw new Error('Connection terminated');
        watched.push(guildId);
      },
      unwatch: async () => {},
    },
  });
  await expect(register.save(described)).rejects.toThrow('Connection terminated');
  isFailing = false;
  await register.save(described);
  expect(watched).toEqual([described.guildId]);
  const due = await database.pool.query('select 1 from discord_guild_configs where sweep_due_at <= clock_timestamp()');
  expect(due.rowCount).toBe(1);
});

/** docs/decisions/0028. */
it('posts in channels need no connections besides those of their transactions', async () => {
  const db = typedKysely(database.pool);
  const guildId = '700000000000000007';
  const channels = [{ id: '700000000000000008', name: 'news', canView: true, canSend: true }];
  await db.transaction().execute((trx) => saveGuild(trx, { ...described, guildId, channels }));
  await database.pool.query(
    `insert into discord_guild_configs (guild_id, nft_contract, nft_name, updated_by, sweep_due_at)
     values ($1, '0x77::rocks::Nft', 'Rocks', 'chief', clock_timestamp())`,
    [guildId],
  );
  const posting = createDiscordPosting({ db, status: async () => ({ state: 'active', wanted: 'active' }) });
  const link = { label: 'Payout', url: 'https://rocks.example/payouts/1' };
  const card = { sign: '💎', headline: 'Payout published', lines: ['x'.repeat(2_000)], link };
  const post = () => db.transaction().execute((trx) => posting.post('700000000000000008', card, trx));
  const ids = await Promise.all(Array.from({ length: 2 * database.pool.options.max }, post));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(null);
  // However long it is, it leads to the payout.
  expect(await database.rows('select distinct content from discord_posts')).toEqual([
    { content: '💎 **Payout published**\n…\n[Payout](https://rocks.example/payouts/1)' },
  ]);
});

it.each([
  { end: { kind: 'not-now', reason: 'Discord is away.' }, becomes: { state: 'failed', reason: 'Withdrawn.' } },
  { end: { kind: 'sent' }, becomes: { state: 'sent', reason: null } },
] as const)('a post that is dropped while it is sent is not sent again ($end.kind)', async ({ end, becomes }) => {
  const db = typedKysely(database.pool);
  const status = async () => ({ state: 'active', wanted: 'active' }) as const;
  const posting = createDiscordPosting({ db, status });
  const channelId = '700000000000000018';
  await database.rows("update discord_service set wanted = 'active'");
  const { id } = await db
    .insertInto('discordPosts')
    .values({ guildId: described.guildId, channelId, content: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const send = async () => {
    await db.transaction().execute((trx) => posting.drop([id], 'Withdrawn.', trx));
    return end;
  };
  const log = { warn: () => {} };
  const job = channelPostJob({ db, sendToChannel: send, checkBot: async () => {}, log });
  await job.run({ id }, new AbortController().signal);
  expect(await db.selectFrom('discordPosts').select(['state', 'reason']).where('id', '=', id).execute()).toEqual([
    becomes,
  ]);
});

it('the notices of a server in which seven thousand roles end at once can be queued', async () => {
  const db = typedKysely(database.pool);
  const userIds = Array.from({ length: 7_000 }, (_, number) => String(800_000_000_000_000_000n + BigInt(number)));
  await enqueueNotices(db, described.guildId, userIds, 'Your role ends');
  const { rows } = await database.pool.query(
    `select count(*)::int as count from discord_direct_messages where due_at is not null and content = 'Your role ends'`,
  );
  expect(rows).toEqual([{ count: 7_000 }]);
});
