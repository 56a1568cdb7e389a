import type { Kysely, Selectable } from 'kysely';

import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { retention } from '../../retention/retention.ts';
import { supplyMax } from '../cards/mint-progress.ts';
import type { Settings } from './settings.ts';

type Db = Kysely<Database>;
type Row = Selectable<Database['telegramConfigurations']>;

/**
 * What one group tracks and how. `collectionId` is what the group admin entered, in canonical form; `collectionName` is
 * untrusted; `recapMinute` is the minute of the day of the daily recap, in the chat's own time.
 */
export type Configuration = Readonly<ReturnType<typeof configurationOf>>;

/** Quiet hours have both ends or neither. */
export const configurationOf = ({ quietFromMinute: fromMinute, quietToMinute: toMinute, ...row }: Row) => ({
  ...row,
  trackedCollectionId: BigInt(row.trackedCollectionId),
  maxSupply: row.maxSupply === null ? null : Number(row.maxSupply),
  mintedCount: Number(row.mintedCount),
  quietHours: fromMinute === null || toMinute === null ? null : { fromMinute, toMinute },
});

export type ConfigurationChange = Partial<
  Settings & Pick<Configuration, 'maxSupply' | 'mintedCount' | 'hexCollectionId' | 'trackedCollectionId'>
>;

const columnsOf = ({ quietHours, ...change }: ConfigurationChange) => ({
  ...change,
  ...(quietHours !== undefined && {
    quietFromMinute: quietHours?.fromMinute ?? null,
    quietToMinute: quietHours?.toMinute ?? null,
  }),
  // The first recap at the new time starts now: by another clock yesterday's may seem to be missing.
  ...((change.recapMinute !== undefined || change.timeZone !== undefined) && { recappedUntil: databaseNow }),
});

/** Live configurations of chats that have the bot. `topicId`: where their notifications go. */
export const liveConfigurations = (db: Db) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .selectAll('conf')
    .select((row) => row.case().when('chat.topicState', '=', 'open').then(row.ref('chat.topicId')).end().as('topicId'))
    .where('conf.deletedAt', 'is', null)
    .where('chat.removedAt', 'is', null);

type NewConfiguration = Pick<
  Configuration,
  'chatId' | 'trackedCollectionId' | 'collectionId' | 'collectionName' | 'maxSupply' | 'mintedCount' | 'createdBy'
>;

/** Specification 9 and rulings R6: kept this long after its deletion or the bot's removal from the chat. */
export const deletedRetentionMs = retention.telegram_configurations.days * 86_400_000;

const goneForMs = 60_000;

/**
 * Configurations of groups. Throws database errors; waits for other changes of the same row. Never locks `for update`,
 * which would block inserts that only refer to the row, such as messages, and deadlock with a change of its chat.
 */
export const createConfigurationStore = (db: Db) => ({
  /** Locks the row within a transaction. */
  ofChat: async (chatId: number | string, trx?: Trx): Promise<Configuration | null> => {
    const query = all(trx ?? db)
      .where('chatId', '=', String(chatId))
      .where('deletedAt', 'is', null);
    return found(await (trx === undefined ? query : query.forNoKeyUpdate()).executeTakeFirst());
  },

  /** Includes deleted ones. Locks the row until the transaction ends. */
  lock: async (trx: Trx, id: string): Promise<Configuration | null> =>
    found(await all(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()),

  find: async (id: string, on: Db = db): Promise<Configuration | null> =>
    found(await all(on).where('id', '=', id).executeTakeFirst()),

  /** All four toggles on, no options (rulings R4). */
  insert: async (trx: Trx, fresh: NewConfiguration): Promise<Configuration> => {
    const row = { ...fresh, mintedCount: storableCount(fresh.mintedCount) };
    return configurationOf(
      await trx.insertInto('telegramConfigurations').values(row).returningAll().executeTakeFirstOrThrow(),
    );
  },

  /** Every change makes a new version. */
  change: async (trx: Trx, id: string, change: ConfigurationChange): Promise<Configuration> =>
    configurationOf(await newVersion(trx, id).set(columnsOf(change)).returningAll().executeTakeFirstOrThrow()),

  /** `at`: when it really ended; defaults to now. */
  softDelete: async (trx: Trx, id: string, by: string, at?: Date): Promise<void> => {
    await newVersion(trx, id)
      .set({ deletedAt: at ?? databaseNow, deletedBy: by })
      .execute();
  },

  /** null once its 30 days are over. Recaps restart: the time in between was not watched. */
  restore: async (trx: Trx, id: string, mintedCount: number): Promise<Configuration | null> =>
    found(
      await newVersion(trx, id)
        .set({ deletedAt: null, deletedBy: null, recappedUntil: databaseNow, mintedCount: storableCount(mintedCount) })
        .where('deletedAt', '>', databaseNowPlus(-deletedRetentionMs))
        .returningAll()
        .executeTakeFirst(),
    ),

  /** Posts events from now on, in recaps too. Not an edit by a person: `version` stays. */
  followAnew: async (trx: Trx, id: string): Promise<void> => {
    await trx
      .updateTable('telegramConfigurations')
      .set({ followedSince: databaseNow, recappedUntil: databaseNow })
      .where('id', '=', id)
      .execute();
  },

  count: async (): Promise<number> => {
    const { count } = await db
      .selectFrom('telegramConfigurations')
      .where('deletedAt', 'is', null)
      .select((row) => row.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});
export type ConfigurationStore = ReturnType<typeof createConfigurationStore>;

interface Waiting {
  readonly chatId: string;
  /** Left out: of any configuration. */
  readonly configurationId?: string;
}

/** Drops a chat's waiting messages and the events held for its morning recap. Replies stay. */
export async function dropWaiting(trx: Trx, { chatId, configurationId }: Waiting, reason: string): Promise<void> {
  await trx
    .updateTable('telegramMessages')
    .set({ state: 'dropped', reason })
    .where('chatId', '=', chatId)
    .where('state', '=', 'pending')
    .where('kind', '<>', 'reply')
    .$if(configurationId !== undefined, (query) => query.where('configurationId', '=', configurationId ?? ''))
    .execute();
  // One collection per group (specification 9): everything held there belongs to its configuration.
  await trx
    .updateTable('telegramDeliveries')
    .set({ isHeld: false, droppedReason: reason })
    .where('chatId', '=', chatId)
    .where('isHeld', '=', true)
    .execute();
}

/**
 * Cards waiting for a group that removed the bot may still move: a basic group may have become a supergroup. Telegram
 * reports that within a minute; after that the cards are dropped.
 */
export async function dropPendingOfGone(db: Db, reason: string): Promise<void> {
  await db
    .with('waiting', (from) =>
      from
        .selectFrom('telegramMessages as message')
        .innerJoin('telegramChats as chat', 'chat.chatId', 'message.chatId')
        .select('message.id')
        .where('message.state', '=', 'pending')
        .where('message.kind', '<>', 'reply')
        .where('chat.removedAt', '<', databaseNowPlus(-goneForMs))
        .orderBy('message.id')
        .forNoKeyUpdate('message')
        // Rows locked elsewhere are handled the next time.
        .skipLocked(),
    )
    .updateTable('telegramMessages')
    .from('waiting')
    .set({ state: 'dropped', reason })
    .whereRef('telegramMessages.id', '=', 'waiting.id')
    .execute();
}

const all = (on: Db) => on.selectFrom('telegramConfigurations').selectAll();

const found = (row: Row | undefined): Configuration | null => (row === undefined ? null : configurationOf(row));

const newVersion = (trx: Trx, id: string) =>
  trx
    .updateTable('telegramConfigurations')
    .set((row) => ({ version: row('version', '+', 1), updatedAt: databaseNow }))
    .where('id', '=', id);

/** A marketplace may report more than any collection has; that must not keep a group from following it. */
const storableCount = (count: number): string => String(Math.min(count, supplyMax));
