import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { AuditTables } from '../../src/audit/adapters/tables.ts';
import { createAudit } from '../../src/audit/audit.ts';
import { createMarketplaceClient } from '../../src/clients/marketplace/marketplace-client.ts';
import { createSuiClient } from '../../src/clients/sui/sui-client.ts';
import type { CollectionTables } from '../../src/collections/adapters/tables.ts';
import { type Collections, createCollections } from '../../src/collections/collections.ts';
import { type ChangeSignal, createChangeSignal } from '../../src/platform/change-signal.ts';
import { createPool, kyselyOver } from '../../src/platform/database/connect.ts';
import { silentLog } from '../../src/platform/database/database-log.ts';
import { createLeases, type LeaseTables } from '../../src/platform/leases.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type AskOptions, startTestServer, type TestServer } from '../../src/server/test-server.ts';
import { trackingFor } from '../../src/telegram/adapters/collection-tracking.ts';
import type { TelegramTables } from '../../src/telegram/adapters/tables.ts';
import { createTelegram, type Telegram, type TelegramDeps } from '../../src/telegram/telegram.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { until } from './until.ts';

type Tables = TelegramTables & CollectionTables & LeaseTables & AuditTables;
type Answer = Awaited<ReturnType<TestServer['ask']>>;

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

export interface Called {
  readonly status: number;
  // Whatever the call answers; each test knows.
  readonly body: { readonly data: never; readonly message: string; readonly code: string } & Record<string, unknown>;
}

/** The bot as in production: real grammY against the sandbox's Telegram, real PostgreSQL, any number of copies. */
export interface TelegramWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  /** Everything that was logged so far, one JSON line an entry. */
  readonly log: () => string;
  copy(options?: CopyOptions): Promise<TelegramCopy>;
  /** A running copy whose bot was initialized. */
  activeCopy(options?: CopyOptions): Promise<TelegramCopy>;
  /** `action` of every entry of the audit log, oldest first. */
  audited(): Promise<
    readonly { readonly action: string; readonly actor: string; readonly before: unknown; readonly after: unknown }[]
  >;
  end(): Promise<void>;
}

export interface CopyOptions extends Partial<Omit<TelegramDeps['settings'], 'trustedImageHosts'>> {
  readonly pace?: TelegramDeps['pace'];
  readonly name?: string;
}

export const adminUser = { id: '7', username: 'chief', isAdmin: true };
/** Fast enough for tests; the proportions are those of production. */
const quickPace = { leaseMs: 1_500, heartbeatMs: 300, firstRetryMs: 100, longestRetryMs: 500 };
const impatient = { attemptTimeoutMs: 2_000, totalTimeoutMs: 2_500, retries: 0, breakerFailures: 1_000 };

export async function startTelegramWorld(sandboxOptions: SandboxOptions = {}): Promise<TelegramWorld> {
  const sandbox = await startSandbox({ telegramLimits: false, ...sandboxOptions });
  const database = await testDatabase();
  const running: TelegramCopy[] = [];
  let log = '';
  const logger = createLogger('info', { write: (line: string) => void (log += line) });
  const { facts, urls } = sandbox;

  const copy = async (options: CopyOptions = {}): Promise<TelegramCopy> => {
    const name = options.name ?? `copy ${running.length}`;
    const pool = createPool(database.url, silentLog);
    const db = kyselyOver<Tables>(pool);
    const changes: ChangeSignal = await createChangeSignal({ url: database.url, pool, log: silentLog });
    const leases = createLeases(db, { holder: name });
    const collections = createCollections({
      settings: {
        network: 'mainnet',
        collectionType: facts.collectionType,
        refreshMs: 3_600_000,
        tracker: { pollMinMs: 200, pollMaxMs: 300 },
      },
      sui: createSuiClient({ network: 'mainnet', baseUrl: urls.sui, limits: impatient }),
      marketplace: createMarketplaceClient({
        url: urls.market,
        user: facts.marketUser,
        key: facts.marketKey,
        limits: impatient,
      }),
      db,
      leases,
      clock: systemClock,
      log: logger,
    });
    const { activity } = collections;
    const audit = createAudit({ db });
    const { pace, name: _name, ...settings } = options;
    const telegram = createTelegram({
      settings: {
        botToken: facts.telegramBotToken,
        apiUrl: urls.telegram,
        mode: 'polling',
        publicUrl: 'http://localhost:3000',
        explorerUrl: 'https://suiscan.xyz/mainnet',
        ...settings,
        trustedImageHosts: ['127.0.0.1:*', 'localhost:*'],
      },
      ...{ db, leases, changes },
      tracking: trackingFor(activity),
      history: activity,
      prices: { usdPerSui: () => '3.5' },
      audit: audit.trail,
      clock: systemClock,
      log: logger,
      copy: name,
      pace: { ...quickPace, ...pace },
    });
    if (telegram.listener !== null) activity.addListener(telegram.listener);
    const app = await startTestServer({
      publicUrl: 'http://localhost:3000',
      routes: [...telegram.routes, ...audit.routes],
      authorize: () => ({ ok: true, user: adminUser }),
    });
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
    const made: TelegramCopy = {
      telegram,
      collections,
      app,
      call: async (method, path, json, headers = {}) => {
        const asJson = json === undefined ? {} : { body: JSON.stringify(json) };
        const answer: Answer = await app.ask(path, {
          method,
          headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...asJson,
        });
        return { status: answer.status, body: JSON.parse(answer.text) as Called['body'] };
      },
      stop: () => (stopped ??= stopAll()),
    };
    running.push(made);
    return made;
  };

  return {
    sandbox,
    database,
    log: () => log,
    copy,
    activeCopy: async (options) => {
      const made = await copy(options);
      const { status, body } = await made.call('POST', '/api/telegram/init');
      if (status !== 200) throw new Error(`init answered ${status}: ${body.message}`);
      return made;
    },
    audited: async () => {
      const { rows } = await database.pool.query<{
        action: string;
        actor_name: string;
        before: unknown;
        after: unknown;
      }>('select * from audit_entries order by id');
      return rows.map(({ action, actor_name: actor, before, after }) => ({ action, actor, before, after }));
    },
    end: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await sandbox.stop();
      await database.drop();
    },
  };
}

/** Waits for what the bot says next in a chat: the first of its messages after `afterId` that holds the words. */
export async function saidIn(
  { sandbox }: TelegramWorld,
  chatId: number,
  words: RegExp | string,
  afterId = 0,
): Promise<ReturnType<Sandbox['telegram']['history']>[number]> {
  const holds = (text: string | null): boolean =>
    text !== null && (typeof words === 'string' ? text.includes(words) : words.test(text));
  const find = () =>
    sandbox.telegram
      .history(chatId)
      .find((message) => message.messageId > afterId && message.from.is_bot && holds(message.text));
  await until(`the bot says ${String(words)} in ${chatId}`, () => find() !== undefined, 10_000);
  return find()!;
}

/** Waits until the bot has handled everything that happened in Telegram so far: only then does it confirm. */
export const handled = ({ sandbox }: TelegramWorld): Promise<void> =>
  until('every update is handled', () => sandbox.telegram.counters().pendingUpdates === 0, 10_000);

/** The data of the button with that text under a message. */
export const buttonsOf = (message: {
  readonly replyMarkup: { readonly inline_keyboard: readonly (readonly { readonly text: string }[])[] } | null;
}): readonly string[] => (message.replyMarkup?.inline_keyboard ?? []).flat().map(({ text }) => text);

/** Connects a group to a collection, as its creator; answers the configuration's id. */
export async function setUpGroup(
  world: TelegramWorld,
  chatId: number,
  collection: string,
  userId: number,
): Promise<string> {
  const { telegram } = world.sandbox;
  const { messageId } = telegram.type({ chatId, userId, text: `/setup ${collection}` });
  const asked = await saidIn(world, chatId, 'maximum supply', messageId);
  const [use = ''] = buttonsOf(asked);
  telegram.press({ chatId, messageId: asked.messageId, userId, button: use });
  await until('the group is set up', async () => (await configurationOf(world, chatId)) !== undefined);
  await handled(world);
  return String((await configurationOf(world, chatId))?.['id']);
}

/** The row of what a chat tracks. */
export async function configurationOf(
  { database }: TelegramWorld,
  chatId: number,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'select * from telegram_configurations where chat_id = $1 and deleted_at is null',
    [chatId],
  );
  return rows[0];
}

/** Which configurations are watched in the pipeline. */
export async function watchers({ database }: TelegramWorld): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ watcher: string }>(
    "select watcher from collection_watches where listener = 'telegram' order by watcher::bigint",
  );
  return rows.map(({ watcher }) => watcher);
}
