import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { growTables } from '../tests/support/grown-tables.ts';
import { explainingUrl, parsePlan } from '../tests/support/page-counter.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { runMarket } from './two-copies-market.ts';
import { sendVisitors } from './two-copies-visitors.ts';
import { startTwoCopies } from './two-copies-world.ts';

/** `npm run bench table-growth [-- --million]`: the same work on small and on large tables. */
const sizes = process.argv.includes('--million') ? [10_000, 1_000_000] : [10_000, 100_000];
const useMs = 15_000;
const seed = 3;
const shownMax = 15;
const pollMaxMs = 60_000;

const times = (sizes[1] ?? 0) / (sizes[0] ?? 1);

/**
 * What answers with every configuration, every server, or how many there are, asked by an admin's open page or once at a start; and the
 * purges of the two smallest tables, every ten minutes: they may read as many times more pages as there are rows, and twice that for
 * deeper indexes.
 */
const answersWithAll = [
  'delete from "collection_facts"',
  'delete from "coin_metadata"',
  'select c.*, chat.title, chat.removed_at',
  'select g.guild_id, g.name, g.left_at',
  'select "guild_id" from "discord_guilds" where "left_at" is null',
  'select count(*) as "count" from "telegram_configurations"',
  'select count(*) as "count" from "discord_guilds"',
  'select distinct conf.tracked_collection_id',
] as const;

/** The first run of a statement in a connection reads that much of the catalogue. */
const firstRunPages = 160;

/**
 * All of these servers are taken for left at the start, which takes up their members one server after the other and rewrites them.
 * A server's hundred members share pages in a small table and have one each in a large one, and with more rows the vacuum of what
 * was rewritten comes later: each server may cost three or four times as much, however many there are.
 */
const takesUpMembers = 'with held as ( select m.user_id from discord_members m where m.guild_id';
const countsMembersOfAll = 'select "g"."guild_id", "g"."name"';

/** Half as many more are deeper indexes, and some are pages that were split. Whatever reads more than that reads rows that are not wanted. */
const mayRead = ({ text, before }: Omit<Growth, 'pages'>): number => {
  if (text.startsWith(takesUpMembers)) return before * 3;
  if (text.startsWith(countsMembersOfAll)) return before * times * 4;
  if (answersWithAll.some((beginning) => text.startsWith(beginning))) return before * times * 2;
  return Math.max(before * 1.6, before + firstRunPages);
};

interface Measured {
  /** Statement by statement, how many pages one run reads, as a median. */
  readonly pages: ReadonlyMap<string, number>;
  readonly databaseMb: number;
}

/**
 * Two copies of the product with both bots, a market and visitors, on tables that have seen ninety days: every statement that they send
 * must read about as many pages of large tables as of small ones.
 */
export const benchTableGrowth = async (): Promise<Row[]> => {
  const [small, large] = [await measureAt(sizes[0] ?? 0), await measureAt(sizes[1] ?? 0)];
  const both = [...large.pages].flatMap(([text, pages]) => {
    const before = small.pages.get(text);
    return before === undefined ? [] : [{ text, before, pages }];
  });
  const grown = both.filter((each) => each.pages > mayRead(each));
  const most = both.filter((each) => !grown.includes(each)).toSorted((one, other) => other.pages - one.pages);
  return [
    atLeast('statements that ran on small and on large tables', both.length, 80),
    atMost('of these: read more pages because the tables are larger', grown.length, 0),
    ...[...grown, ...most.slice(0, shownMax)].map(growthRow),
    {
      what: `the database with ${sizes.join(' and ')} rows in each table that grows`,
      measured: `${small.databaseMb} → ${large.databaseMb} MB`,
      target: '',
      ok: true,
    },
  ];
};

interface Growth {
  readonly text: string;
  readonly before: number;
  readonly pages: number;
}

const growthRow = (growth: Growth): Row => ({
  what: growth.text.slice(0, 110),
  measured: `${growth.before} → ${growth.pages} pages`,
  target: `≤ ${Math.round(mayRead(growth))}`,
  ok: growth.pages <= mayRead(growth),
});

const writesItsLog = { logging_collector: 'on', log_destination: 'jsonlog', log_rotation_size: '0' };
/** Pages are counted, and nobody misses this data. */
const unsafeAndQuick = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  maintenance_work_mem: '256MB',
};

const measureAt = async (rows: number): Promise<Measured> => {
  const database = await startBenchDatabase({ ...writesItsLog, ...unsafeAndQuick });
  try {
    console.error(`growing tables to ${rows} rows …`);
    await growTables(database.url, rows);
    const { rows: sizeRows } = await database.pool.query<{ mb: number }>(
      'select (pg_database_size(current_database()) / 1000000)::int as mb',
    );
    await useProduct({ url: explainingUrl(database.url, 'log'), pool: database.pool });
    return { pages: await readLog(join(database.folder, 'log')), databaseMb: sizeRows[0]?.mb ?? 0 };
  } finally {
    await database.drop();
  }
};

const useProduct = async (database: Parameters<typeof startTwoCopies>[0]): Promise<void> => {
  // What was read lately is not polled while the product is used.
  await database.pool.query(
    "update tracked_collections set last_checked_at = clock_timestamp() + interval '110 seconds'",
  );
  const size = { collections: 10, groupsEach: 3, servers: 3, membersEach: 8 };
  const world = await startTwoCopies(database, size, pollMaxMs);
  try {
    // Servers that this Discord does not know count as left.
    await database.pool.query("update discord_guilds set left_at = null where guild_id like 'grown %'");
    const market = runMarket(world, seed, { eventEveryMs: 400, tradeEveryMs: 1_000 });
    const visitors = await sendVisitors(world, { seed, visitors: 2, paths: await adminPaths(world) });
    await delay(useMs);
    await market.stop();
    await visitors.stop();
    if (visitors.failures.length > 0) console.error(visitors.failures.slice(0, 5));
  } finally {
    await world.stop();
  }
};

const adminPaths = async ({ pool }: Parameters<typeof runMarket>[0]): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    "select min(id) as id from telegram_configurations where collection_id = 'grown'",
  );
  const guild = '/api/discord/guilds/grown%205';
  return [
    '/api/auth/check',
    '/api/telegram/status',
    '/api/telegram/configs',
    '/api/telegram/deleted-configs',
    `/api/telegram/configs/${rows[0]?.id}/deliveries`,
    '/api/discord/invite-url',
    '/api/discord/guilds',
    `${guild}/statistics`,
    `${guild}/members`,
    `${guild}/wallets`,
    '/api/audit',
    '/api/audit?actor=chief',
    '/api/treasury/balance',
    '/readyz',
  ];
};

const readLog = async (folder: string): Promise<Measured['pages']> => {
  const runs = new Map<string, number[]>();
  for (const name of await readdir(folder)) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      if (!line.includes('"message":"duration:')) continue;
      const ran = parsePlan((JSON.parse(line) as { message: string }).message);
      if (ran !== null) runs.set(ran.text, [...(runs.get(ran.text) ?? []), ran.pages]);
    }
  }
  return new Map([...runs].map(([text, pages]) => [text, median(pages)]));
};
