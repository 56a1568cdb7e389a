import type { Kysely } from 'kysely';

import { databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { CollectionTracking, TrackedCollection } from '../../market/contract.ts';
import { muteTrouble, topicTrouble } from '../commands/texts/chat-texts.ts';
import { shownOptions } from '../configs/configuration-fields.ts';
import { configurationOf, keptForMs } from '../configs/configuration-store.ts';
import type { TelegramConfiguration } from '../contract.ts';

export function createConfigurationList(db: Kysely<Database>, tracking: Pick<CollectionTracking, 'tracked'>) {
  const answersOf = async (rows: readonly Listed[]): Promise<TelegramConfiguration[]> => {
    const collections = await tracking.tracked([...new Set(rows.map((row) => BigInt(row.trackedCollectionId)))]);
    return rows.map((row) => answerOf(row, collections.get(BigInt(row.trackedCollectionId))));
  };
  return {
    present: async () => answersOf(await listed(db).where('conf.deletedAt', 'is', null).orderBy('conf.id').execute()),
    deleted: async () =>
      answersOf(
        await listed(db)
          .where('conf.deletedAt', '>', databaseNowPlus(-keptForMs))
          .orderBy('conf.deletedAt', 'desc')
          .orderBy('conf.id', 'desc')
          .execute(),
      ),
    /** Finds deleted ones as well. */
    one: async (id: string): Promise<TelegramConfiguration | null> =>
      (await answersOf(await listed(db).where('conf.id', '=', id).execute()))[0] ?? null,
  };
}

/**
 * Each part below has an index of its own, and none grows with past messages: naming the chat beside the configuration
 * makes PostgreSQL read all of them.
 */
const listed = (db: Kysely<Database>) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .selectAll('conf')
    .select(['chat.title', 'chat.removedAt', 'chat.trouble', 'chat.canSendMessages', 'chat.topicId', 'chat.topicState'])
    .select((row) => {
      const its = row.selectFrom('telegramMessages as m').whereRef('m.configurationId', '=', 'conf.id');
      const inChat = its.whereRef('m.chatId', '=', 'conf.chatId').select(row.fn.countAll<string>().as('count'));
      const latest = its.orderBy('m.id', 'desc').limit(1);
      return [
        latest.select('m.happenedAt').where('m.happenedAt', 'is not', null).as('lastEventAt'),
        latest.select('m.sentAt').where('m.state', '=', 'sent').as('lastSentAt'),
        inChat.where('m.state', 'in', ['pending', 'sending']).as('pendingCount'),
        inChat.where('m.state', '=', 'failed').as('failedCount'),
        its.select(row.fn.countAll<string>().as('count')).where('m.isDoubtful', '=', true).as('doubtfulCount'),
      ];
    });
type Listed = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number];

function answerOf(row: Listed, collection: TrackedCollection | undefined): TelegramConfiguration {
  const configuration = configurationOf(row);
  return {
    id: row.id,
    chatId: row.chatId,
    collectionName: row.collectionName,
    collectionId: row.collectionId,
    hexCollectionId: row.hexCollectionId,
    maxSupply: configuration.maxSupply,
    trackMint: row.trackMint,
    trackSales: row.trackSales,
    trackListings: row.trackListings,
    trackBids: row.trackBids,
    options: shownOptions(configuration),
    mintStats: { mintedCount: configuration.mintedCount },
    version: row.version,
    chatTitle: row.title,
    ...stateOfChat(row),
    purgeAt: purgeAt(row),
    deletedAt: timeText(row.deletedAt),
    source: sourceOf(collection),
    lastEventAt: timeText(row.lastEventAt),
    lastSentAt: timeText(row.lastSentAt),
    pendingCount: Number(row.pendingCount),
    failedCount: Number(row.failedCount),
    doubtfulCount: Number(row.doubtfulCount),
  };
}

/** Whichever ends first: the bot may have been put out before the configuration was deleted. */
function purgeAt({ deletedAt, removedAt }: Listed): string | null {
  const endsMs = [deletedAt, removedAt].flatMap((at) => (at === null ? [] : [at.getTime() + keptForMs]));
  return endsMs.length === 0 ? null : new Date(Math.min(...endsMs)).toISOString();
}

const stateOfChat = (row: Listed): Pick<TelegramConfiguration, 'chatState' | 'trouble'> => {
  const topic = row.topicId === null || row.topicState === 'open' ? null : topicTrouble[row.topicState];
  const trouble = row.trouble ?? (row.canSendMessages ? topic : muteTrouble);
  return { chatState: row.removedAt !== null ? 'removed' : trouble === null ? 'ok' : 'trouble', trouble };
};

const sourceOf = (collection: TrackedCollection | undefined): TelegramConfiguration['source'] => ({
  lastCheckedAt: timeText(collection?.lastCheckedAt ?? null),
  lastSucceededAt: timeText(collection?.lastSucceededAt ?? null),
  failure: collection?.failingSince?.reason ?? null,
});

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;
