import type { Pool } from 'pg';

import { until } from '../tests/support/until.ts';
import { startBusyWorld } from './busy-world.ts';
import { connectOwnCollection } from './tracked-groups.ts';
import { startVisitors } from './visitors-process.ts';

/** What was done during the soak, and how much of it failed. */
export interface SoakDoings {
  readonly visits: number;
  readonly adminCalls: number;
  readonly failedCalls: number;
  readonly messagesSent: number;
  /** Entries still queued a minute after the load ended. */
  readonly leftWaiting: number;
}

export interface SoakWorld {
  readonly pid: number;
  readonly url: string;
  readonly pool: Pool;
  /** Ends the load and waits, for a minute at most, until the queues are empty. */
  settle(): Promise<SoakDoings>;
  purged(): Promise<{
    readonly purgedRows: number;
    /** Rows that a purge should have deleted. */
    readonly overdueRows: number;
  }>;
  stop(): Promise<void>;
}

const admin = { username: 'chief', password: 'cave-painting' };
/** Far more often than in production, so that half an hour is like a day. */
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  TREASURY_REFRESH_MS: '5000',
  RECHECK_INTERVAL_MS: '30000',
  TRACKER_POLL_MIN_MS: '2000',
  TRACKER_POLL_MAX_MS: '3000',
};
const visitedPaths = ['/rockfolio', '/api/treasury/balance', '/api/treasury/history?days=7', '/', '/nft'];
const visits = {
  visitorCount: 100,
  visitsPerSecond: 5,
  visits: 50,
} as const;
const adminPaths = [
  '/api/telegram/status',
  '/api/telegram/configs',
  '/api/discord/status',
  '/api/discord/guilds',
  '/api/audit',
  '/metrics',
] as const;
const adminEveryMs = 5_000;
const everyMinuteMs = 60_000;
const burstMessages = 150;

/** One process of the product with everything on: a living market, both bots, visitors, an admin with open tabs, rows that age. */
export const startSoakWorld = async (): Promise<SoakWorld> => {
  const sandboxArgs = ['--living-market', '--no-rate-limits'];
  const world = await startBusyWorld({ env, sandboxArgs, groupCount: 150, serverCount: 10, memberCount: 40 });
  const { product, pool } = world;
  await connectOwnCollection(product, pool, 20);
  await pool.query(watchForServers);
  const visitors = startVisitors();
  const done = { visits: 0, adminCalls: 0, failedCalls: 0 };
  const cookie = await logIn(product.url);
  const over = new AbortController();
  const again = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!over.signal.aborted) {
      const startedMs = performance.now();
      await work();
      await until(
        'it is time again',
        () => over.signal.aborted || performance.now() - startedMs >= everyMs,
        everyMs * 2,
      );
    }
  };
  const doings = [
    again(0, async () => {
      const origin = product.url.replace('localhost', '127.0.0.1');
      const { tookMs, failed } = await visitors.visit({ ...visits, urls: visitedPaths.map((path) => origin + path) });
      done.visits += tookMs[0]?.length ?? 0;
      done.failedCalls += failed;
    }),
    again(adminEveryMs, async () => {
      for (const path of adminPaths) {
        const { ok } = await fetch(product.url + path, { headers: { cookie } });
        done.adminCalls += 1;
        if (!ok) done.failedCalls += 1;
      }
    }),
    again(everyMinuteMs, async () => {
      await world.enqueue(burstMessages);
      for (const statement of olderByDays) await pool.query(statement);
    }),
  ];
  const failure = Promise.all(doings);
  return {
    pid: product.process.pid,
    url: product.url,
    pool,
    settle: async () => {
      over.abort();
      await failure;
      await product.control('/control/living-market', { running: false });
      const leftWaiting = async (): Promise<number> =>
        (await pool.query<{ count: number }>(waiting)).rows[0]?.count ?? 0;
      await until('all queues are empty', async () => (await leftWaiting()) === 0, everyMinuteMs).catch(() => {});
      const { acceptedMessages } = (await product.observe('/control/telegram/counters')) as {
        acceptedMessages: number;
      };
      return { ...done, messagesSent: acceptedMessages, leftWaiting: await leftWaiting() };
    },
    purged: async () => {
      const { rows } = await pool.query<{ purgedRows: number; overdueRows: number }>(retained);
      return rows[0] ?? { purgedRows: 0, overdueRows: Number.NaN };
    },
    stop: async () => {
      over.abort();
      await failure.catch(() => {});
      visitors.stop();
      await world.stop();
    },
  };
};

const logIn = async (url: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) });
  if (!answer.ok) throw new Error(`The login answered ${answer.status}`);
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
};

/** What /setup does when the marketplace knows the collection, so that trades cause checks. */
const watchForServers = `
  with own as (select id from tracked_collections where slug = 'sui-rocks'),
  configs as (
    update discord_guild_configs set tracked_collection_id = own.id from own returning guild_id, tracked_collection_id
  )
  insert into collection_watches (tracked_collection_id, listener, watcher)
  select tracked_collection_id, 'discord', guild_id from configs`;

/** Each minute, finished rows become fifteen days older, so that retention (src/retention/retention.ts) has work. */
const olderByDays = [
  "update telegram_messages set created_at = created_at - interval '15 days' where state not in ('pending', 'sending')",
  "update audit_entries set at = at - interval '60 days'",
  "update discord_direct_messages set told_at = told_at - interval '15 days' where due_at is null",
] as const;

/** The purge runs every ten minutes, which are 150 days here; two more minutes are for its work. */
const retained = `
  select (select coalesce(sum(purged_rows), 0) from purge_runs)::int as "purgedRows",
    ((select count(*) from telegram_messages where created_at < clock_timestamp() - interval '${90 + 150 + 30} days')
    + (select count(*) from discord_direct_messages where told_at < clock_timestamp() - interval '${90 + 150 + 30} days')
    + (select count(*) from audit_entries where at < clock_timestamp() - interval '${365 + 600 + 120} days'))::int
      as "overdueRows"`;

const waiting = `
  select (
    (select count(*) from telegram_messages where state in ('pending', 'sending'))
    + (select count(*) from telegram_inbox where handled_at is null)
    + (select count(*) from discord_member_roles where due_at is not null)
    + (select count(*) from discord_direct_messages where due_at is not null)
  )::int as count`;
