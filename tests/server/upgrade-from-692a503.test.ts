import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { readEnd, readHeader, readTable } from '../../scripts/backup-archive.ts';
import { copyIn, textSettings } from '../../scripts/backup-tables.ts';
import { bringTo } from '../support/bring-to.ts';
import type { Child } from '../support/child.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { productEnv, startReady } from '../support/product.ts';
import { walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/**
 * The fixture is a backup that commit 692a503 made of itself, killed with `kill -9` in the middle of its work: two groups for
 * each of two collections with 12 waiting cards, two servers with 24 members, a mass removal that waits for an admin, three
 * roles that are due, a session, an audit log. Here the same world is made again, and the current version continues from there.
 */
const facts = z
  .object({
    cookie: z.string(),
    marketOrigin: z.string(),
    /** Of the transactions that made that world, in order. */
    digests: z.array(z.string()),
    servers: z.array(z.object({ guildId: z.string(), roleId: z.string(), userIds: z.array(z.string()) })),
  })
  .parse(JSON.parse(await readFile('tests/fixtures/upgrade-from-692a503.json', 'utf8')));
const archive = gunzipSync(await readFile('tests/fixtures/upgrade-from-692a503.backup.gz')).toString();
const newestThen = '0024-unknown-member-count.sql';
const secret = 'not a secret: these are measurements';

interface World {
  readonly sandbox: Sandbox;
  readonly chatIds: readonly number[];
  readonly digests: readonly string[];
  readonly servers: readonly {
    readonly guildId: string;
    readonly roleId: string;
    readonly userIds: readonly string[];
  }[];
}

let world: World;
let database: TestDatabase;
let product: Child;
let url: string;

beforeAll(async () => {
  world = await sameWorld();
  database = await emptyDatabase();
  await putBack(database.pool, world);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { ...productEnv(world.sandbox, port, 'unused'), DATABASE_URL: database.url, SESSION_SECRET: secret };
  product = await startReady(url, { ...env, TRACKER_POLL_MIN_MS: '1000', TRACKER_POLL_MAX_MS: '1500' });
});

afterAll(async () => {
  await product?.end('SIGTERM');
  await database?.drop();
  await world?.sandbox.stop();
});

describe('a database of commit 692a503, killed at work, with the current version', () => {
  test('every waiting card is posted once, and none that was posted before', async () => {
    const { sandbox, chatIds } = world;
    const postsOf = (chatId: number) => sandbox.telegram.history(chatId).filter(({ from }) => from.is_bot);
    await until('all cards are posted', () => chatIds.every((chatId) => postsOf(chatId).length >= 3));
    const waiting = "select 1 from telegram_messages where state in ('pending', 'sending')";
    await until('no message waits', async () => (await database.rows(waiting)).length === 0);
    for (const chatId of chatIds) {
      const names = postsOf(chatId).map(({ text }) => /Pebbles \d #\d+/.exec(text ?? '')?.[0]);
      expect(new Set(names).size, String(names)).toBe(3);
      expect(names).toHaveLength(3);
    }
  });

  test('every role that was due is given, and none is taken', async () => {
    const { sandbox, servers } = world;
    const [, second] = servers;
    const withRole = (server: { guildId: string; roleId: string }) => sandbox.discord.membersWithRole(server).length;
    await until('15 members of the second server have the role', () => second !== undefined && withRole(second) === 15);
    expect(servers.map(withRole)).toEqual([12, 15]);
  });

  test('an admin is still signed in, sees the mass removal that waits, and approves it', async () => {
    expect((await ask('/api/auth/check')).status).toBe(200);
    const { sandbox, servers } = world;
    const [first = { guildId: '', roleId: '', userIds: [] }] = servers;
    const statistics = await ask(`/api/discord/guilds/${first.guildId}/statistics`);
    const { data } = (await statistics.json()) as { data: { waitingRemoval: { id: string; removalCount: number } } };
    expect(data.waitingRemoval).toMatchObject({ removalCount: 12 });
    expect((await ask(`/api/discord/removals/${data.waitingRemoval.id}/approve`, { method: 'POST' })).status).toBe(200);
    await until('the roles are taken', () => sandbox.discord.membersWithRole(first).length === 0);
  });

  test('the treasury and its history continue, and the audit log is complete', async () => {
    await until('the treasury is read', async () => (await ask('/api/treasury/balance')).status === 200);
    const history = await database.rows<{ count: string }>('select count(*) from treasury_history');
    expect(Number(history[0]?.count)).toBeGreaterThanOrEqual(1);
    const given = await database.rows("select 1 from audit_entries where action = 'discord-role-given'");
    expect(given.length).toBeGreaterThanOrEqual(27);
  });
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { cookie: facts.cookie, origin: url } });

/**
 * Makes the world as it was when the backup was made: the same steps give the same ids in the sandbox, except those of Discord and of
 * transactions.
 */
async function sameWorld(): Promise<World> {
  const sandbox = await startSandbox();
  const { transactions } = sandbox.world.state;
  const begun = transactions.length;
  const { world: chain, discord, urls } = sandbox;
  const control = async <T>(command: string, body: object): Promise<readonly T[]> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${urls.console}/control/${command}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: T[] }).data;
  };
  const collections = await control<{ key: string }>('add-collections', { count: 2 });
  const chatIds = await control<number>('telegram/create-groups', { count: 4 });
  const rockIds: string[] = [];
  const servers = facts.servers.map((_server, number) => {
    const { id: guildId, roles } = discord.addGuild({ name: `Server ${number}`, roles: [{ name: 'Rock Holder' }] });
    const roleId = [...roles.values()].find(({ name }) => name === 'Rock Holder')?.id ?? '';
    const userIds = discord.addMembers({ guildId, count: 24 });
    for (const [index, userId] of userIds.entries()) {
      if (index % 2 === 1) continue;
      rockIds.push(chain.mint({ address: walletOf(number * 24 + index) }).id);
      discord.giveRole({ guildId, userId, roleId });
    }
    return { guildId, roleId, userIds };
  });
  for (const { key } of collections) {
    const nft = chain.mint({ address: walletOf(7_000), collection: key });
    chain.list({ nftId: nft.id, priceMist: 5_000_000_000n });
  }
  for (const nftId of rockIds.slice(0, 12)) chain.transfer({ nftId, address: walletOf(8_000) });
  for (const index of [1, 3, 5]) chain.mint({ address: walletOf(24 + index) });
  for (const { key } of collections) {
    for (const number of [0, 1, 2]) chain.mint({ address: walletOf(7_100 + number), collection: key });
  }
  return { sandbox, chatIds, servers, digests: transactions.slice(begun).map(({ digest }) => digest) };
}

/** Today's ids, by the id in the backup. */
function idsToday({ sandbox, servers, digests }: World): ReadonlyMap<string, string> {
  const renamed = new Map([[facts.marketOrigin, new URL(sandbox.urls.market).origin]]);
  expect(digests).toHaveLength(facts.digests.length);
  for (const [index, was] of facts.digests.entries()) renamed.set(was, digests[index] ?? '');
  for (const [index, was] of facts.servers.entries()) {
    const is = servers[index];
    if (is === undefined) continue;
    renamed.set(was.guildId, is.guildId).set(was.roleId, is.roleId);
    for (const [each, userId] of was.userIds.entries()) renamed.set(userId, is.userIds[each] ?? '');
  }
  return renamed;
}

/** Restores the rows as they were after the kill, with times moved to the present and ids replaced by today's. */
async function putBack(pool: Pool, world: World): Promise<void> {
  await bringTo(pool, newestThen);
  const [first = '', ...rest] = archive.split('\n');
  const header = readHeader(first);
  if (header === null) throw new Error('The fixture is not a backup');
  const laterMs = Date.now() - Date.parse(header.takenAt);
  const renamed = idsToday(world);
  const ids = new RegExp([...renamed.keys()].join('|').replaceAll('.', String.raw`\.`), 'g');
  const moved = (row: string): string =>
    row
      .replace(ids, (id) => renamed.get(id) ?? id)
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00/g, (time) =>
        new Date(Date.parse(time) + laterMs).toISOString(),
      );
  const client = await pool.connect();
  try {
    await client.query(textSettings);
    await client.query(`truncate ${header.tables.map(({ name }) => `"${name}"`).join(', ')} cascade`);
    let at = 0;
    for (const table of header.tables) {
      if (readTable(rest[at] ?? '') !== table.name) throw new Error(`The fixture lacks ${table.name}`);
      const end = rest.indexOf(String.raw`\.`, at);
      const rows = rest.slice(at + 1, end).map((row) => `${moved(row)}\n`);
      await pipeline(rows, client.query(copyFrom(copyIn(table))));
      at = end + 1;
    }
    for (const { table, column, lastValue } of readEnd(rest[at] ?? '')?.sequences ?? []) {
      const sequence = [`"${table}"`, column, lastValue];
      if (lastValue !== null) await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', sequence);
    }
  } finally {
    client.release(true);
  }
}
