import type { Figure } from '../../db/figures.ts';
import { describeService, runningFigure, switchService, undeliveredFigure } from '../../bot-service/service-store.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { updateAttemptsMax } from '../bot/update-jobs.ts';
import { liveConfigurations } from '../configs/configuration-store.ts';
import { listenerName } from '../configs/configuring.ts';
import { type TelegramStatusAnswer, telegramStatusAnswer } from '../contract.ts';
import type { Trx } from '../../db/transaction.ts';
import { botServiceRoutes } from '../../http/bot-service-routes.ts';
import type { Route } from '../../http/route.ts';
import { isMarketOutage } from '../../market/contract.ts';

/** Specification 7: the bot's status and its on/off switch. */
export const serviceRoutes = (parts: TelegramParts): readonly Route[] => {
  const { config, service, activity, pace } = parts;
  const hasToken = config.TELEGRAM_BOT_TOKEN !== null;
  const switching = { ...parts, bot: 'telegram', store: service, hasToken, settleMs: pace.settleMs } as const;
  const setPaused = (isPaused: boolean, trx: Trx): Promise<void> => activity.setPaused(listenerName, isPaused, trx);
  return botServiceRoutes({
    basePath: '/api/telegram',
    called: 'the group-chat bot',
    answer: telegramStatusAnswer,
    status: () => readStatus(parts),
    switchTo: (wanted, actor) => switchService({ ...switching, setPaused }, wanted, actor),
    noToken: 'There is no bot token. Ask @BotFather for one, set TELEGRAM_BOT_TOKEN to it and restart the product.',
  });
};

async function readStatus(parts: TelegramParts): Promise<TelegramStatusAnswer> {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_MODE: mode } = parts.config;
  const [row, configCount, pending, marketOutage] = await Promise.all([
    parts.service.read(),
    parts.configurations.count(),
    parts.outbox.counts(),
    readMarketOutage(parts),
  ]);
  const service = describeService(row, token !== null);
  return { ...service, active: service.state === 'active', configCount, mode, ...pending, marketOutage };
}

/** Why no messages are being sent; null if they are. */
export async function idleReason({ config, service }: Pick<TelegramParts, 'config' | 'service'>) {
  if (config.TELEGRAM_BOT_TOKEN === null)
    return 'There is no bot token: set TELEGRAM_BOT_TOKEN and restart the product.';
  const { wanted } = await service.read();
  return wanted === 'active' ? null : 'The bot is off. Initialize it first.';
}

/** How many of the collections that groups follow cannot be read, and since when; null: none. Two queries. */
async function readMarketOutage({ db, activity }: TelegramParts): Promise<TelegramStatusAnswer['marketOutage']> {
  const rows = await liveConfigurations(db).clearSelect().select('conf.trackedCollectionId as id').distinct().execute();
  if (rows.length === 0) return null;
  const collections = [...(await activity.tracked(rows.map(({ id }) => BigInt(id)))).values()];
  const failing = collections
    .flatMap(({ failingSince }) => failingSince ?? [])
    .filter(({ reason }) => isMarketOutage(reason));
  const [since] = failing.map(({ at }) => at.toISOString()).toSorted();
  return since === undefined ? null : { since, collectionCount: failing.length };
}

/** Counting stops here, so that a long queue does not slow down its own measurement. */
const countMax = 10_000;
const isWaiting = `m.state in ('pending', 'sending')`;

/** What an operator needs to know about the Telegram bot (docs/operations.md). Times by the database's clock. */
export const telegramFigures: readonly Figure[] = [
  {
    name: 'telegram_bot_running',
    help: '1: the bot runs; 0: it should run and does not; absent: it is switched off',
    sql: runningFigure('telegram'),
  },
  {
    name: 'telegram_updates_undelivered',
    help: '1: Telegram cannot deliver updates to a running bot at PUBLIC_URL; 0: it can; absent: the bot does not run',
    sql: undeliveredFigure,
  },
  {
    name: 'telegram_waiting_messages',
    help: `Messages waiting to be sent, at most ${countMax}`,
    sql: `select count(*) from (select 1 from telegram_messages m where ${isWaiting} limit ${countMax}) waiting`,
  },
  {
    name: 'telegram_oldest_message_seconds',
    // Messages that wait for a person to let the bot write, or for the end of quiet hours, are not late; messages that Telegram limits are.
    help: 'How long the oldest message has waited, without the length of quiet hours and chats that do not let the bot write',
    sql: `select extract(epoch from clock_timestamp() - min(since)) from (
      select m.created_at + coalesce(make_interval(mins => (1440 + c.quiet_to_minute - c.quiet_from_minute) % 1440), interval '0') as since
      from telegram_messages m join telegram_chats chat using (chat_id) left join telegram_configurations c on c.id = m.configuration_id
      where ${isWaiting} and (chat.trouble is null or chat.limited_until > clock_timestamp()) limit ${countMax}
    ) waiting where since < clock_timestamp()`,
  },
  {
    name: 'telegram_failed_messages',
    help: `Messages that failed for good and are still kept, at most ${countMax}`,
    sql: `select count(*) from (select 1 from telegram_messages where state = 'failed' limit ${countMax}) failed`,
  },
  {
    name: 'telegram_doubtful_messages',
    help: 'Of the latest 1000 messages, those whose answer was lost: they may have arrived twice',
    sql: `select count(*) from (select is_doubtful from telegram_messages order by id desc limit 1000) latest where is_doubtful`,
  },
  {
    name: 'telegram_oldest_update_seconds',
    help: 'How long the oldest update has waited to be handled',
    sql: `select extract(epoch from clock_timestamp() - min(received_at)) from
      (select received_at from telegram_inbox where handled_at is null and attempts < ${updateAttemptsMax} limit ${countMax}) waiting`,
  },
];
