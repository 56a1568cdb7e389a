import { z } from 'zod';
import type { Kysely } from 'kysely';

import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../../http/route.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { Refused } from '../../shared/failure.ts';
import { rowId } from '../../shared/parsed-text.ts';
import type { TelegramParts } from '../bot-deps.ts';
import {
  changeConfiguration,
  type Changed,
  removeConfiguration,
  restoreConfiguration,
  setHexId,
} from '../configs/configuring.ts';
import {
  staleConfigAnswer,
  telegramConfiguration,
  telegramConfigsAnswer,
  type TelegramConfiguration,
} from '../contract.ts';
import { databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Activity, TrackedCollection } from '../../market/contract.ts';
import { mutedTroubleText, topicTroubleTexts } from '../cards/chat-texts.ts';
import { configurationOf, deletedRetentionMs } from '../configs/configuration-store.ts';
import { shownOptions } from '../configs/settings.ts';

export const configParams = z.object({ configId: rowId });

const countBounds = { error: 'The mint count must be a whole number from 0 to 1,000,000,000.' };
/** Specification 5: minimum 0. */
const resetMintCountBody = z.object({
  count: z.int(countBounds).min(0, countBounds).max(1_000_000_000, countBounds),
});

const hexCollectionIdBody = z.object({
  hexCollectionId: z.string().max(200, { error: 'The hex ID must have at most 200 characters.' }).nullable(),
});

/** Specification 7 and rulings R6: the admin calls of the groups' configurations. */
export const configurationRoutes = (parts: TelegramParts): readonly Route[] => [
  ...listRoutes(createConfigurationList(parts.db, parts.activity)),
  ...editRoutes(parts),
  ...keepingRoutes(parts),
];

const listRoutes = (list: ReturnType<typeof createConfigurationList>): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/telegram/configs',
    access: 'operator',
    summary: 'Every configuration, with the state of its chat and its collection',
    answer: telegramConfigsAnswer,
    handle: async () => ({ data: await list.present() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/telegram/deleted-configs',
    access: 'operator',
    summary: 'Deleted configurations that can still be restored, newest first',
    answer: telegramConfigsAnswer,
    handle: async () => ({ data: await list.deleted() }),
  }),
];

const change = {
  access: 'operator',
  params: configParams,
  isVersioned: true,
  answer: telegramConfiguration,
  failures: { 409: z.union([staleConfigAnswer, failureBody]) },
} as const;

const editRoutes = (parts: TelegramParts): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/reset-mint-count/{configId}',
    summary: 'Set how many NFTs count as minted',
    bodyBytes: 1_024,
    body: resetMintCountBody,
    handle: async ({ params: { configId: id }, body: { count }, ...request }) => {
      const by = byOf(request, 'telegram-mint-count-reset');
      return changeAnswer(parts, id, await changeConfiguration(parts, id, { mintedCount: count }, by), { count });
    },
  }),
  defineRoute({
    ...change,
    method: 'PUT',
    path: '/api/telegram/config/{configId}',
    summary: 'Set the ID that replaces the collection ID in marketplace queries; empty or null removes it',
    bodyBytes: 4 * 1_024,
    body: hexCollectionIdBody,
    handle: async ({ params: { configId: id }, body: { hexCollectionId }, ...request }) => {
      const by = byOf(request, 'telegram-hex-id-changed');
      return changeAnswer(parts, id, await setHexId(parts, id, hexCollectionId, by), { hexCollectionId });
    },
  }),
];

const keepingRoutes = (parts: TelegramParts): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'DELETE',
    path: '/api/telegram/configs/{configId}',
    summary: 'Delete a configuration; it can be restored for 30 days',
    handle: async ({ params: { configId: id }, ...request }) => {
      const by = byOf(request, 'telegram-configuration-deleted');
      return changeAnswer(parts, id, await removeConfiguration(parts, id, by));
    },
  }),
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/configs/{configId}/restore',
    summary: 'Restore a deleted configuration; 409 if its chat now tracks another collection',
    handle: async ({ params: { configId: id }, ...request }) => {
      const by = byOf(request, 'telegram-configuration-restored');
      return changeAnswer(parts, id, await restoreConfiguration(parts, id, by));
    },
  }),
];

async function changeAnswer(
  { db, activity }: TelegramParts,
  id: string,
  changed: Changed,
  yours: Readonly<Record<string, unknown>> = {},
): Promise<RouteAnswer> {
  const current = await createConfigurationList(db, activity).one(id);
  if (current === null) throw new Refused('not-found', 'This configuration no longer exists. Refresh the list.');
  if (changed.kind === 'changed') return { data: current };
  const message = 'Someone else changed this configuration in the meantime. Check it as it is now, then save again.';
  return { status: 409, body: { message, code: 'stale', current, yours } };
}

const byOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>, action: string) => ({
  actor: adminOf(user),
  action,
  ifVersion: versionOf(ifMatch),
});

export function createConfigurationList(db: Kysely<Database>, activity: Pick<Activity, 'tracked'>) {
  const answersOf = async (rows: readonly Listed[]): Promise<TelegramConfiguration[]> => {
    const collections = await activity.tracked([...new Set(rows.map((row) => BigInt(row.trackedCollectionId)))]);
    return rows.map((row) => configurationAnswer(row, collections.get(BigInt(row.trackedCollectionId))));
  };
  return {
    present: async () => answersOf(await listed(db).where('conf.deletedAt', 'is', null).orderBy('conf.id').execute()),
    deleted: async () =>
      answersOf(
        await listed(db)
          .where('conf.deletedAt', '>', databaseNowPlus(-deletedRetentionMs))
          .orderBy('conf.deletedAt', 'desc')
          .orderBy('conf.id', 'desc')
          .execute(),
      ),
    /** Also finds deleted configurations. */
    one: async (id: string): Promise<TelegramConfiguration | null> =>
      (await answersOf(await listed(db).where('conf.id', '=', id).execute()))[0] ?? null,
  };
}

/**
 * Each subquery has its own index and does not slow down as old messages pile up. Filtering the latest message by chat
 * as well would make PostgreSQL read all of them.
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

/** Of the row only what the schema names is sent. */
function configurationAnswer(row: Listed, collection: TrackedCollection | undefined): TelegramConfiguration {
  const configuration = configurationOf(row);
  const { maxSupply, mintedCount } = configuration;
  return {
    ...row,
    maxSupply,
    options: shownOptions(configuration),
    mintStats: { mintedCount },
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

/** The earlier of the two: the bot may have been removed before the configuration was deleted. */
function purgeAt({ deletedAt, removedAt }: Listed): string | null {
  const endsMs = [deletedAt, removedAt].flatMap((at) => (at === null ? [] : [at.getTime() + deletedRetentionMs]));
  return endsMs.length === 0 ? null : new Date(Math.min(...endsMs)).toISOString();
}

const stateOfChat = (row: Listed): Pick<TelegramConfiguration, 'chatState' | 'trouble'> => {
  const trouble = troubleOf(row);
  if (row.removedAt !== null) return { chatState: 'removed', trouble };
  return { chatState: trouble === null ? 'ok' : 'trouble', trouble };
};

const troubleOf = ({ trouble, canSendMessages, topicId, topicState }: Listed): string | null => {
  if (trouble !== null) return `Telegram says: ${trouble.replace(/\.$/, '')}.`;
  if (!canSendMessages) return mutedTroubleText;
  return topicId === null || topicState === 'open' ? null : topicTroubleTexts[topicState];
};

const sourceOf = (collection: TrackedCollection | undefined): TelegramConfiguration['source'] => ({
  lastCheckedAt: timeText(collection?.lastCheckedAt ?? null),
  lastSucceededAt: timeText(collection?.lastSucceededAt ?? null),
  failure: collection?.failingSince?.reason ?? null,
});

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;
