import { runningFigure } from '../../bot-service/service-store.ts';
import type { Figure } from '../../db/figures.ts';

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
      (select received_at from telegram_inbox where handled_at is null limit ${countMax}) waiting`,
  },
];
