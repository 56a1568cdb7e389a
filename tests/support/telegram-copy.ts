import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { AuditTables } from '../../src/audit/adapters/tables.ts';
import { createAudit } from '../../src/audit/audit.ts';
import { createMarketplaceClient } from '../../src/clients/marketplace/marketplace-client.ts';
import { createSuiClient } from '../../src/clients/sui/sui-client.ts';
import type { CollectionTables } from '../../src/collections/adapters/tables.ts';
import { type Collections, createCollections } from '../../src/collections/collections.ts';
import { createChangeSignal } from '../../src/platform/change-signal.ts';
import { createPool, kyselyOver } from '../../src/platform/database/connect.ts';
import { silentLog } from '../../src/platform/database/database-log.ts';
import { createLeases, type LeaseTables } from '../../src/platform/leases.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type AskOptions, startTestServer, type TestServer } from '../../src/server/test-server.ts';
import { trackingFor } from '../../src/telegram/adapters/collection-tracking.ts';
import type { TelegramTables } from '../../src/telegram/adapters/tables.ts';
import { createTelegram, type Telegram, type TelegramDeps } from '../../src/telegram/telegram.ts';

type Tables = TelegramTables & CollectionTables & LeaseTables & AuditTables;

/** One copy of the product, as far as the bot goes, with its admin calls over real HTTP. */
export interface TelegramCopy {
  readonly telegram: Telegram;
  readonly collections: Collections;
  readonly app: TestServer;
  /** As an admin who is signed in; `json` is sent as the body, the answer's body is read as JSON. */
  call(method: string, path: string, json?: unknown, headers?: AskOptions['headers']): Promise<Called>;
  /** Ends it in order; a second time is harmless. */
  stop(): Promise<void>;
}

interface Called {
  readonly status: number;
  // Whatever the call answers; each test knows.
  readonly body: Record<string, unknown> & { readonly data: never; readonly message: string; readonly code: string };
}

export interface CopyOptions extends Partial<Omit<TelegramDeps['settings'], 'trustedImageHosts'>> {
  readonly pace?: TelegramDeps['pace'];
  readonly name?: string;
  /** Its way to the database; the direct one when left out. */
  readonly databaseUrl?: string;
  /** Where its HTTP listens; any free port when left out. */
  readonly port?: number;
}

interface CopyDeps extends CopyOptions {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market' | 'telegram'>;
  readonly facts: Sandbox['facts'];
  /** Each line that it logs. */
  readonly write: (line: string) => void;
}

const adminUser = { id: '7', username: 'chief', isAdmin: true };
const impatient = { attemptTimeoutMs: 2_000, totalTimeoutMs: 2_500, retries: 0, breakerFailures: 1_000 };

export async function startTelegramCopy(deps: CopyDeps): Promise<TelegramCopy> {
  const { databaseUrl, urls, facts, write, pace, name = 'copy', port = 0, ...settings } = deps;
  const log = createLogger('info', { write });
  const pool = createPool(databaseUrl, silentLog);
  const db = kyselyOver<Tables>(pool);
  const changes = await createChangeSignal({ url: databaseUrl, pool, log: silentLog });
  const leases = createLeases(db, { holder: name });
  const { market, sui } = urls;
  const access = { user: facts.marketUser, key: facts.marketKey };
  const collections = createCollections({
    settings: {
      network: 'mainnet',
      collectionType: facts.collectionType,
      refreshMs: 3_600_000,
      tracker: { pollMinMs: 200, pollMaxMs: 300 },
    },
    sui: createSuiClient({ network: 'mainnet', baseUrl: sui, limits: impatient }),
    marketplace: createMarketplaceClient({ url: market, ...access, limits: impatient }),
    db,
    leases,
    log,
    clock: systemClock,
  });
  const audit = createAudit({ db });
  const telegram = createTelegram({
    settings: {
      botToken: facts.telegramBotToken,
      apiUrl: urls.telegram,
      mode: 'polling',
      publicUrl: `http://localhost:${port === 0 ? 3000 : port}`,
      explorerUrl: 'https://suiscan.xyz/mainnet',
      ...settings,
      trustedImageHosts: ['127.0.0.1:*', 'localhost:*'],
    },
    db,
    leases,
    changes,
    log,
    tracking: trackingFor(collections.activity),
    history: collections.activity,
    prices: { usdPerSui: () => '3.5' },
    audit: audit.trail,
    clock: systemClock,
    copy: name,
    ...(pace !== undefined && { pace }),
  });
  if (telegram.listener !== null) collections.activity.addListener(telegram.listener);
  const app = await startTestServer(
    {
      publicUrl: 'http://localhost:3000',
      routes: [...telegram.routes, ...audit.routes],
      authorize: () => ({ ok: true, user: adminUser }),
    },
    port,
  );
  await collections.start();
  telegram.start();
  let stopped: Promise<void> | null = null;
  const stopAll = async (): Promise<void> => {
    await app.server.stop();
    await telegram.stop();
    await collections.stop();
    await changes.stop();
    await pool.end();
  };
  return {
    telegram,
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
