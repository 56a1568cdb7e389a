import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessionStore } from '../../src/accounts/session-store.ts';
import { readDueWork } from '../../src/discord/roles/roles.ts';
import { createTrackedStore } from '../../src/market/poll/tracked-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { readHead, readSentLately, readWaitingChats } from '../../src/telegram/send/message-store.ts';
import { purgesOf } from '../../src/retention/purge.ts';
import { telegramPurges } from '../../src/telegram/configs/purges.ts';
import { readRecapConfigurations } from '../../src/telegram/notify/recaps.ts';
import { createUpdateStore } from '../../src/telegram/bot/update-jobs.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { growTables } from '../support/grown-tables.ts';
import { countingPages, type RunStatement } from '../support/page-counter.ts';

/**
 * Queries that every copy repeats to find its work (rulings R7) find it among 10,000 rows that are not wanted: tables of 80 to 400
 * pages.
 */
const rows = 10_000;
const due = 3;
const pagesMax = 55;

let database: TestDatabase;
let counting: ReturnType<typeof countingPages>;
beforeAll(async () => {
  database = await testDatabase();
  await growTables(database.url, rows);
  for (const statement of makeSomeDue) await database.pool.query(statement, [due]);
  counting = countingPages(database.url);
});
afterAll(async () => {
  await counting.pool.end();
  await database.drop();
});

const makeSomeDue = [
  "update discord_service set wanted = 'active' where $1::int > 0",
  `update tracked_collections set last_checked_at = clock_timestamp() - interval '1 hour'
   where id in (select id from tracked_collections order by id limit $1)`,
  `update telegram_messages set state = 'pending', sent_at = null where id in (select id from telegram_messages order by id desc limit $1)`,
  `insert into telegram_inbox (update_id, chat_id, update) select 10000000 + i, -i, '{}' from generate_series(1, $1::int) i`,
  `update discord_members set check_due_at = clock_timestamp() where (guild_id, user_id) in (
     select guild_id, user_id from discord_members order by guild_id limit $1)`,
  `update discord_member_roles set due_at = clock_timestamp(), wanted = 'grant-role', cause = 'sweep'
   where id in (select id from discord_member_roles order by id desc limit $1)`,
  `update discord_direct_messages set due_at = clock_timestamp() where id in (select id from discord_direct_messages order by id desc limit $1)`,
  `insert into discord_guilds (guild_id, name, left_at, roles_paused_until) values
     ('gone', 'gone', clock_timestamp(), null), ('refuses', 'refuses', null, clock_timestamp() + $1::int * interval '1 hour')`,
  `insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at)
   select guild, nth::text, '1', 'grant-role', 'sweep', clock_timestamp() from unnest('{gone,refuses}'::text[]) guild,
     generate_series(1, ${rows}::int) nth where $1::int > 0`,
  `insert into discord_direct_messages (guild_id, user_id, content, due_at)
   select 'gone', nth::text, 'x', clock_timestamp() from generate_series(1, ${rows}::int) nth where $1::int > 0`,
];

const discord = () => typedKysely(counting.pool);
const unused = (): never => {
  throw new Error('Nothing has expired yet');
};

const works: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['collections that are not polled', () => createTrackedStore(typedKysely(counting.pool)).unpolled(1_800_000)],
  ['chats with waiting messages', () => readWaitingChats(typedKysely(counting.pool), 'card')],
  [
    'the next message of a chat',
    async () => {
      const [first] = await readWaitingChats(typedKysely(counting.pool), 'card');
      return readHead(typedKysely(counting.pool), first?.chatId ?? '', 'card', {
        backlogAfterMs: 600_000,
        isQuiet: false,
      });
    },
  ],
  ['messages sent within the last minute', () => readSentLately(typedKysely(counting.pool))],
  ['chats with waiting updates', () => inbox().waitingChats()],
  ['the next updates of a chat', () => inbox().waiting(-1)],
  ['updates whose key is not needed any more', () => inbox().clean()],
  ['groups with a recap', () => readRecapConfigurations(typedKysely(counting.pool))],
  [
    'expired rows of the group-chat bot',
    async () => {
      const db = typedKysely(counting.pool);
      const ports = { activity: { unwatch: unused }, audit: { record: unused, redact: unused } };
      const own = telegramPurges(db, ports);
      // Messages are read from the oldest, 5,000 at a time.
      const purges = purgesOf(db, own).filter(
        ({ table }) => table.startsWith('telegram_') && table !== 'telegram_messages',
      );
      for (const { step } of purges) await step();
    },
  ],
  ['checks, role changes, sweeps and removals that are due', () => readDueWork(discord())],
  ['a session', () => createSessionStore(typedKysely(counting.pool)).find(Buffer.alloc(32))],
];
const inbox = () => createUpdateStore(typedKysely(counting.pool));

describe(`among ${rows} rows`, () => {
  test.each(works)('%s: found without reading the other rows', async (_what, work) => {
    await work();
    counting.ran.length = 0;
    await work();
    expect(counting.ran).not.toEqual([]);
    const greedy: readonly RunStatement[] = counting.ran.filter(({ pages }) => pages > pagesMax);
    expect(greedy).toEqual([]);
  });
});
