import type { Kysely } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { subjectOf } from '../configs/configuration-fields.ts';
import type { AuditTrail } from '../../audit/contract.ts';
import type { TelegramTables } from '../tables.ts';

/** A change of a chat that has a configuration. */
interface ChatChange {
  readonly chatId: number | string;
  readonly action:
    | 'telegram-bot-removed'
    | 'telegram-bot-returned'
    | 'telegram-chat-migrated'
    | 'telegram-topic-closed'
    | 'telegram-topic-gone'
    | 'telegram-topic-reopened'
    | 'telegram-topic-pinned';
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** Defaults to Telegram itself. */
  readonly actor?: Parameters<AuditTrail['record']>[0]['actor'];
}

/** Logs it like changes by people, in the transaction of the change; does nothing without a configuration. */
export type ChatLog = (change: ChatChange, transaction: OpenTransaction) => Promise<void>;

const telegramItself = { kind: 'system', name: 'Telegram' } as const;

export const createChatLog =
  (audit: AuditTrail): ChatLog =>
  async ({ chatId, action, before, after, actor = telegramItself }, transaction) => {
    const configuration = await liveConfiguration(transactionOf<TelegramTables>(transaction), String(chatId));
    if (configuration === undefined) return;
    const { id, chat_id, collection_name: collectionName, title } = configuration;
    const subject = subjectOf({ id, chatId: chat_id, collectionName }, title);
    await audit.record({ actor, action, subject, before, after }, transaction);
  };

/** The chat's configuration, and its title. */
export const liveConfiguration = (trx: Kysely<TelegramTables>, chatId: string) =>
  trx
    .selectFrom('telegram_configurations as conf')
    .innerJoin('telegram_chats as chat', 'chat.chat_id', 'conf.chat_id')
    .select(['conf.id', 'conf.chat_id', 'conf.collection_name', 'chat.title'])
    .where('conf.chat_id', '=', chatId)
    .where('conf.deleted_at', 'is', null)
    .executeTakeFirst();
