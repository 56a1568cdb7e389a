import type { Pool } from 'pg';

import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import type { Child } from '../tests/support/child.ts';
import { freePort } from '../tests/support/free-port.ts';
import { productEnv, startReady } from '../tests/support/product.ts';
import { until } from '../tests/support/until.ts';
import { connectServers, hastenRemovals, type RoleServer } from './role-servers.ts';
import { connectGroups, type TrackedGroups } from './tracked-groups.ts';

/** One of the two copies: a process that is killed and comes back at the same address. */
export interface Copy {
  readonly url: string;
  /** null: it was killed, and is not ready again yet. */
  readonly pid: number | null;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** The output of all its processes. */
  output(): string;
}

/** Two processes of the product with both bots on one PostgreSQL, groups that track collections, and servers with members. */
export interface TwoCopiesWorld {
  readonly sandbox: Sandbox;
  readonly pool: Pool;
  readonly copies: readonly [Copy, Copy];
  readonly collections: readonly TrackedGroups[];
  readonly servers: readonly RoleServer[];
  stop(): Promise<void>;
}

export interface TwoCopiesSize {
  readonly collections: number;
  readonly groupsEach: number;
  readonly servers: number;
  readonly membersEach: number;
}

export const admin = { username: 'ogg', password: 'cave-painting' } as const;
const settledWithinMs = 120_000;

/** `database` must be migrated; it is not removed at the end. */
export const startTwoCopies = async (
  database: { readonly url: string; readonly pool: Pool },
  size: TwoCopiesSize,
  pollMaxMs = 1_500,
): Promise<TwoCopiesWorld> => {
  const { url, pool } = database;
  const sandbox = await startSandbox();
  const env = {
    DATABASE_URL: url,
    SESSION_SECRET: 'not a secret: these are measurements',
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    TRACKER_POLL_MIN_MS: '1000',
    TRACKER_POLL_MAX_MS: String(pollMaxMs),
  };
  const copies = [await createCopy(sandbox, env), await createCopy(sandbox, env)] as const;
  const stopHastening = hastenRemovals(pool);
  const stop = async (): Promise<void> => {
    await stopHastening();
    await Promise.all(copies.map((copy) => copy.kill('SIGTERM')));
    await sandbox.stop();
  };
  try {
    const collections = await connectGroups(controlled(sandbox), pool, size.collections, size.groupsEach);
    const servers = await connectServers(sandbox, pool, size.servers, size.membersEach);
    await Promise.all(copies.map((copy) => copy.start()));
    await until('both bots listen and every past is known', () => isSettled(sandbox, pool), settledWithinMs);
    return { sandbox, pool, copies, collections, servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const createCopy = async (sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<Copy> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: Child | null = null;
  let isReady = false;
  let output = '';
  return {
    url,
    get pid() {
      return isReady ? (child?.pid ?? null) : null;
    },
    kill: async (signal = 'SIGKILL') => {
      isReady = false;
      await child?.end(signal);
      output += child?.output() ?? '';
      child = null;
    },
    start: async () => {
      // With DATABASE_URL nothing is stored in DATA_DIR.
      child = await startReady(url, { ...productEnv(sandbox, port, 'unused'), ...env });
      isReady = true;
    },
    output: () => output + (child?.output() ?? ''),
  };
};

const controlled = ({ urls, facts }: Sandbox): Parameters<typeof connectGroups>[0] => ({
  sandbox: { urls, facts },
  control: async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(urls.console + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  },
});

const isSettled = async (sandbox: Sandbox, pool: Pool): Promise<boolean> => {
  if (!isPolled(sandbox) || !isConnected(sandbox)) return false;
  const { rows } = await pool.query<{ waits: boolean }>(`
    select exists (select 1 from tracked_collections where seeded_at is null)
      or exists (select 1 from discord_guild_configs where tracked_collection_id is null)
      or exists (select 1 from discord_members where answer is null)
      or exists (select 1 from discord_member_roles where due_at is not null) as waits`);
  return rows[0]?.waits === false;
};

/** Whether a copy is polling Telegram. */
export const isPolled = ({ telegram }: Sandbox): boolean => telegram.counters().isPolled;

/** Whether a copy has a session at Discord's gateway. */
export const isConnected = ({ discord }: Sandbox): boolean =>
  discord.gateway().connections.some(({ sessionId }) => sessionId !== null);
