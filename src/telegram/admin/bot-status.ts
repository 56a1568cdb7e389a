import type { Kysely } from 'kysely';

import type { Figure } from '../../db/figures.ts';
import type { Database } from '../../db/schema.ts';
import { describeService, runningFigure, type ServiceStore } from '../../bot-service/service-store.ts';
import { updateAttemptsMax } from '../bot/update-jobs.ts';
import type { ConfigurationStore } from '../configs/configuration-store.ts';
import type { TelegramStatusAnswer } from '../contract.ts';
import type { DeliveryStore } from '../send/delivery-store.ts';
import { type CollectionTracking, isMarketOutage } from '../../market/contract.ts';

export interface StatusDeps {
  readonly db: Kysely<Database>;
  readonly tracking: Pick<CollectionTracking, 'tracked'>;
  readonly store: ServiceStore;
  readonly configurations: Pick<ConfigurationStore, 'count'>;
  readonly deliveries: Pick<DeliveryStore, 'counts'>;
  readonly hasToken: boolean;
  readonly mode: 'polling' | 'webhook';
}

export async function readStatus(deps: StatusDeps): Promise<TelegramStatusAnswer['data']> {
  const [row, configCount, pending, marketOutage] = await Promise.all([
    deps.store.read(),
    deps.configurations.count(),
    deps.deliveries.counts(),
    readMarketOutage(deps),
  ]);
  const service = describeService(row, deps.hasToken);
  return { ...service, active: service.state === 'active', configCount, mode: deps.mode, ...pending, marketOutage };
}

/** The collections followed by groups that have the bot, and which are not read, in two queries. */
async function readMarketOutage({ db, tracking }: StatusDeps): Promise<TelegramStatusAnswer['data']['marketOutage']> {
  const rows = await db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .select('conf.trackedCollectionId as id')
    .distinct()
    .where('conf.deletedAt', 'is', null)
    .where('chat.removedAt', 'is', null)
    .execute();
  if (rows.length === 0) return null;
  const collections = [...(await tracking.tracked(rows.map(({ id }) => BigInt(id)))).values()];
  const failing = collections
    .flatMap(({ failingSince }) => failingSince ?? [])
    .filter(({ reason }) => isMarketOutage(reason));
  const [since] = failing.map(({ at }) => at.toISOString()).toSorted();
  return since === undefined ? null : { since, collectionCount: failing.length };
}

/** Counts stop here: a long queue must not slow down its own measuring. */
const countMax = 10_000;
const waiting = `select created_at from telegram_messages where state in ('pending', 'sending') limit ${countMax}`;

/** What an operator needs to know about the Telegram bot (docs/operations.md). Times by the database's clock. */
export const telegramFigures: readonly Figure[] = [
  {
    name: 'telegram_bot_running',
    help: '1: the bot runs; 0: it is wanted and does not; absent: it is switched off',
    sql: runningFigure('telegram'),
  },
  {
    name: 'telegram_waiting_messages',
    help: `Messages that wait to be sent, at most ${countMax}`,
    sql: `select count(*) from (${waiting}) waiting`,
  },
  {
    name: 'telegram_oldest_message_seconds',
    help: 'How long the oldest message waits',
    sql: `select extract(epoch from clock_timestamp() - min(created_at)) from (${waiting}) waiting`,
  },
  {
    name: 'telegram_failed_messages',
    help: `Messages that failed for good and are still kept, at most ${countMax}`,
    sql: `select count(*) from (select 1 from telegram_messages where state = 'failed' limit ${countMax}) failed`,
  },
  {
    name: 'telegram_doubtful_messages',
    help: 'Of the latest 1000 messages those whose answer was lost: they may have arrived twice',
    sql: `select count(*) from (select is_doubtful from telegram_messages order by id desc limit 1000) latest where is_doubtful`,
  },
  {
    name: 'telegram_oldest_update_seconds',
    help: 'How long the oldest command of a group waits to be carried out',
    sql: `select extract(epoch from clock_timestamp() - min(received_at)) from
      (select received_at from telegram_inbox where handled_at is null and attempts < ${updateAttemptsMax} limit ${countMax}) waiting`,
  },
];
