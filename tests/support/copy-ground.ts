import type { Kysely } from 'kysely';

import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { type Audit, createAudit } from '../../src/audit/audit-log.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { type Collections, createCollections } from '../../src/market/collections.ts';
import type { ActivityListener } from '../../src/market/contract.ts';
import { type ChangeSignal, createChangeSignal } from '../../src/db/change-signal.ts';
import { createPool, type DatabaseLimits, typedKysely } from '../../src/db/connect.ts';
import type { Database } from '../../src/db/schema.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createLogger, type Logger } from '../../src/process/logger.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { systemClock } from '../../src/process/in-time.ts';
import type { Route } from '../../src/http/route.ts';
import { type AskOptions, startTestServer, type TestServer } from './test-server.ts';

export interface GroundDeps {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market'>;
  readonly facts: Sandbox['facts'];
  /** Receives each log line. */
  readonly write: (line: string) => void;
  readonly name?: string;
  /** How long to wait for the database, if shorter than in production. */
  readonly databaseLimits?: DatabaseLimits;
  readonly clock?: Clock;
}

/** Everything that a bot needs in one copy of the product. */
export interface CopyGround {
  readonly database: Kysely<Database>;
  readonly url: string;
  readonly changes: ChangeSignal;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly copy: string;
  readonly sui: ReturnType<typeof createSuiClient>;
  readonly collections: Collections;
  readonly audit: Audit;
  end(): Promise<void>;
}

/** One copy of the product with only one of its bots, and its admin calls over real HTTP. */
export interface BotCopy {
  readonly collections: Collections;
  readonly app: TestServer;
  /** Calls as a signed-in admin; `json` is sent as the body, the answer's body is read as JSON. */
  call(method: string, path: string, json?: unknown, headers?: AskOptions['headers']): Promise<Called>;
  /** Stops it in order; a second call does nothing. */
  stop(): Promise<void>;
}

interface Called {
  readonly status: number;
  // Depends on the call; each test knows its shape.
  readonly body: Record<string, unknown> & { readonly data: never; readonly message: string; readonly code: string };
}

interface Bot {
  readonly routes: readonly Route[];
  readonly listener: ActivityListener | null;
  start(): void;
  stop(): Promise<void>;
}

const adminUser = { id: '7', username: 'chief', isAdmin: true, rights: 'admin' } as const;

/** `attemptTimeoutMs`: the time limit of one call to the chain or the marketplace. */
export async function startCopyGround(
  { databaseUrl, urls, facts, write, name = 'copy', databaseLimits, clock = systemClock }: GroundDeps,
  attemptTimeoutMs: number,
): Promise<CopyGround> {
  const limits = { attemptTimeoutMs, totalTimeoutMs: attemptTimeoutMs + 500, retries: 0 };
  const log = createLogger('info', { write });
  const pool = createPool(databaseUrl, silentLog, databaseLimits);
  const changes = await createChangeSignal({ url: databaseUrl, pool, log: silentLog });
  const jobs = createJobs({
    url: databaseUrl,
    log,
    ...(databaseLimits && { answerTimeoutMs: databaseLimits.answerTimeoutMs }),
  });
  const sui = createSuiClient({ network: 'mainnet', baseUrl: urls.sui, limits });
  const access = { user: facts.marketUser, key: facts.marketKey };
  const collections = createCollections({
    config: {
      SUI_NETWORK: 'mainnet',
      COLLECTION_TYPE: facts.collectionType,
      TRACKER_POLL_MIN_MS: 200,
      TRACKER_POLL_MAX_MS: 300,
    },
    sui,
    backgroundSui: sui,
    marketplace: createMarketCall({ url: urls.market, ...access, limits }),
    database: typedKysely(pool),
    jobs,
    log,
    clock,
  });
  const end = async (): Promise<void> => {
    await changes.stop();
    await pool.end();
  };
  const audit = createAudit({ db: typedKysely(pool) });
  return {
    database: typedKysely(pool),
    url: databaseUrl,
    changes,
    jobs,
    log,
    copy: name,
    sui,
    collections,
    audit,
    end,
  };
}

/** Starts the bot and everything it needs. `port` 0: any free one. */
export async function runOnGround(
  { collections, jobs, audit, end }: Pick<CopyGround, 'collections' | 'jobs' | 'audit' | 'end'>,
  bot: Bot,
  port: number,
): Promise<BotCopy> {
  if (bot.listener !== null) collections.activity.addListener(bot.listener);
  const app = await startTestServer(
    {
      publicUrl: 'http://localhost:3000',
      routes: [...bot.routes, ...audit.routes],
      authorize: () => ({ ok: true, user: adminUser }),
    },
    port,
  );
  await jobs.start();
  bot.start();
  let stopped: Promise<void> | null = null;
  const stopAll = async (): Promise<void> => {
    await app.server.stop();
    await bot.stop();
    await jobs.stop();
    await end();
  };
  return {
    collections,
    app,
    call: async (method, path, json, headers = {}) => {
      const type = json === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await app.ask(path, {
        method,
        headers: { ...type, ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return { status: answer.status, body: JSON.parse(answer.text) as Called['body'] };
    },
    stop: () => (stopped ??= stopAll()),
  };
}
