import { createImageShrinker, type ImageShrinker } from '../../src/sources/pictures/shrink-image.ts';
import type { Kysely } from 'kysely';
import { auditTrail } from '../../src/audit/audit-log.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/start-sandbox.ts';
import { createActivityHistory } from '../../src/market/poll/event-store.ts';
import { createTrackedStore } from '../../src/market/poll/tracked-store.ts';
import { unwatch } from '../../src/market/poll/activity.ts';
import type { ActivityBatch, ActivityEvent, TrackedCollection } from '../../src/market/contract.ts';
import { createChangeSignal, type ChangeSignal } from '../../src/db/change-signal.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { Database } from '../../src/db/schema.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createLogger } from '../../src/process/logger.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { cardsTopic, insertMessages, type NewMessage } from '../../src/telegram/send/enqueue-messages.ts';
import { createMessaging, type Messaging, type MessagingDeps } from '../../src/telegram/messaging.ts';
import { createOutbox, type Outbox } from '../../src/telegram/send/outbox.ts';
import { saveChat } from '../../src/telegram/configs/chat-store.ts';
import { someCollection, someEvent, unreadRocks } from './activity-events.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type SendingCopy, sendUnderLock, withRecaps } from './send-under-lock.ts';
import { storeEvents } from './stored-events.ts';
import { until } from './until.ts';

interface SentRow {
  readonly id: string;
  readonly chat_id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly form: string;
  readonly is_doubtful: boolean;
  readonly reason: string | null;
  readonly html: string;
  readonly sent_at: Date | null;
}

/** The product's deliveries on a real database, with the sandbox's Telegram as receiver. */
export interface Delivering {
  readonly sandbox: Sandbox;
  /** The image decoder, shared by all copies. */
  readonly shrinker: ImageShrinker;
  readonly database: TestDatabase;
  readonly db: Kysely<Database>;
  readonly collection: TrackedCollection;
  readonly outbox: Outbox;
  /** Everything that was logged, as text. */
  log(): string;
  copy(given?: Partial<MessagingDeps> & { readonly tokenOf?: string }): SendingCopy;
  /** Creates groups that the bot is in, with a configuration each. */
  groups(count: number, given?: Record<string, unknown>): Promise<string[]>;
  /** Inserts the rows of a chat that exists in Telegram. */
  enlist(chatId: number, kind: 'private' | 'group' | 'supergroup', given?: Record<string, unknown>): Promise<string>;
  enqueue(
    messages: readonly (Pick<NewMessage, 'chatId'> & { readonly text: string } & Partial<NewMessage>)[],
  ): Promise<readonly string[]>;
  /** Sends a reply; resolves with its final state. */
  reply(chatId: number | string, content: NewMessage['content']): Promise<string>;
  /** Stores the events and passes them to the listener, in one transaction. */
  happen(
    deliveries: Pick<Messaging, 'listener'>,
    events: readonly Partial<ActivityEvent>[],
    batch?: Partial<ActivityBatch>,
  ): Promise<bigint[]>;
  rows(chatId?: string): Promise<SentRow[]>;
  chat(chatId: string): Promise<Record<string, unknown>>;
  isDrained(): Promise<boolean>;
  /** Ends every pause of the senders, as if minutes had passed. Not for a sandbox that enforces Telegram's limits. */
  timePasses(): Promise<void>;
  /** The texts that Telegram has accepted for a chat, in order. */
  received(chatId: string): string[];
  end(): Promise<void>;
}

export async function startDelivering(sandboxOptions: SandboxOptions = {}): Promise<Delivering> {
  const sandbox = await startSandbox(sandboxOptions);
  const database = await testDatabase();
  const db = typedKysely(database.pool);
  const logged: string[] = [];
  const log = createLogger('debug', { write: (line) => void logged.push(line) });
  const changes: ChangeSignal = await createChangeSignal({ url: database.url, pool: database.pool, log: silentLog });
  const running: SendingCopy[] = [];
  let passedMs = 0;
  const tracked = createTrackedStore(db);
  const collectionId = BigInt((await tracked.add(someCollection() as never)).id);
  // The collection's past counts as read and empty, and no poll is due for days.
  await database.pool.query(
    "update tracked_collections set seeded_at = clock_timestamp(), caught_up_at = clock_timestamp() + interval '9 days' where id = $1",
    [collectionId],
  );
  const collection = (await tracked.tracked([collectionId])).get(collectionId);
  if (collection === undefined) throw new Error('the collection is not there');

  const enlist: Delivering['enlist'] = async (chatId, kind, given = {}) => {
    await database.pool.query(
      "insert into telegram_chats (chat_id, kind, title, bot_status) values ($1, $2, 'Rock Fans', 'member')",
      [chatId, kind],
    );
    const columns = {
      chat_id: chatId,
      tracked_collection_id: collectionId,
      collection_id: 'x',
      collection_name: 'Sui Rocks',
      created_by: 'Ada',
      // Long before any event.
      followed_since: new Date(Date.now() - 86_400_000),
      ...given,
    };
    const names = Object.keys(columns);
    await database.pool.query(
      `insert into telegram_configurations (${names.join()}) values (${names.map((_name, index) => `$${index + 1}`).join()})`,
      Object.values(columns),
    );
    return String(chatId);
  };
  const shrinker = createImageShrinker();
  return {
    sandbox,
    database,
    db,
    collection,
    outbox: createOutbox(db),
    shrinker,
    log: () => logged.join(''),
    copy: ({ tokenOf, limits, ...given } = {}) => {
      const history = createActivityHistory(db, systemClock);
      const deliveries = createMessaging({
        db,
        changes,
        activity: { ...history, tracked: tracked.tracked, unwatch },
        prices: async () => '3.5',
        rocks: unreadRocks,
        audit: auditTrail,
        shrinker,
        clock: systemClock,
        isOn: async () => true,
        log,
        config: {
          TELEGRAM_BOT_TOKEN: tokenOf ?? sandbox.facts.telegramBotToken,
          TELEGRAM_API_URL: sandbox.urls.telegram,
          EXPLORER_URL: 'https://suivision.xyz',
          MARKET_API_URL: sandbox.urls.market,
        },
        limits: { nowMs: () => performance.now() + passedMs, ...limits },
        ...given,
      });
      const copy = withRecaps(
        { ...deliveries, ...sendUnderLock(deliveries, database.url) },
        given.clock ?? systemClock,
      );
      running.push(copy);
      return copy;
    },
    groups: async (count, given) => {
      const ids = sandbox.telegram.createGroups({ count });
      for (const id of ids) await enlist(id, 'supergroup', given);
      return ids.map(String);
    },
    enlist,
    enqueue: async (messages) => {
      const ids = await db.transaction().execute(async (trx) => {
        const rows = messages.map(({ text, ...given }) => ({
          configurationId: null,
          topicId: null,
          kind: 'notice' as const,
          content: { html: text, imageUrl: null, buttons: [], isSilent: false },
          eventCount: 1,
          happenedAt: null,
          ...given,
        }));
        return insertMessages(trx, rows);
      });
      return ids;
    },
    reply: async (chatId, content) => {
      const [id] = await db.transaction().execute(async (trx) => {
        await saveChat({ id: Number(chatId), kind: 'supergroup', title: 'Rock Fans', isForum: false }, trx);
        const reply = { chatId: String(chatId), configurationId: null, topicId: null, kind: 'reply', content } as const;
        return insertMessages(trx, [{ ...reply, eventCount: 0, happenedAt: null }]);
      });
      const state = async (): Promise<string> => {
        const { rows } = await database.pool.query<{ state: string }>(
          'select state from telegram_messages where id = $1',
          [id],
        );
        return rows[0]?.state ?? 'gone';
      };
      await until('the reply is settled', async () => !/pending|sending/.test(await state()), 90_000);
      return state();
    },
    happen: async (deliveries, events, batch = {}) => {
      const made = events.map((event, index) =>
        someEvent(index + 1, { trackedCollectionId: collectionId, happenedAt: new Date(), ...event }),
      );
      await deliveries.listener.prepare?.();
      const stored = await db.transaction().execute(async (trx) => {
        const rows = await storeEvents(trx, made);
        const nothing = {
          floorBeforeMist: null,
          transfers: [],
          earlierListings: [],
          earlierMintCount: 0,
          hasMore: false,
        };
        const whole = { collection, events: rows, gapMs: 30_000, ...nothing, ...batch };
        await deliveries.listener.recordBatch(whole, trx);
        const mintCount = rows.filter(({ kind }) => kind === 'mint').length;
        if (mintCount > 0) await deliveries.listener.recordMints?.(collectionId, mintCount, trx);
        return rows;
      });
      return stored.map(({ id }) => id);
    },
    rows: async (chatId) => {
      const { rows } = await database.pool.query<SentRow>(
        `select *, content ->> 'html' as html from telegram_messages
         where $1::bigint is null or chat_id = $1 order by id`,
        [chatId ?? null],
      );
      return rows;
    },
    chat: async (chatId) => {
      const { rows } = await database.pool.query('select * from telegram_chats where chat_id = $1', [chatId]);
      return (rows[0] ?? {}) as Record<string, unknown>;
    },
    isDrained: async () => {
      const { rows } = await database.pool.query(
        "select 1 from telegram_messages where state in ('pending', 'sending') limit 1",
      );
      return rows.length === 0;
    },
    timePasses: async () => {
      passedMs += 120_000;
      await changes.publish(cardsTopic);
    },
    received: (chatId) =>
      sandbox.telegram
        .accepted()
        .filter((each) => String(each.chatId) === chatId)
        .map(({ text }) => text),
    end: async () => {
      await Promise.all(running.map((deliveries) => deliveries.stop()));
      await shrinker.stop();
      await changes.stop();
      await sandbox.stop();
      await database.drop();
    },
  };
}
