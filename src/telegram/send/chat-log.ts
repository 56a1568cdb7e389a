import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { subjectOf } from '../configs/configuration-fields.ts';
import type { AuditTrail } from '../../audit/contract.ts';

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
export type ChatLog = (change: ChatChange, trx: Trx) => Promise<void>;

const telegramItself = { kind: 'system', name: 'Telegram' } as const;

export const createChatLog =
  (audit: AuditTrail): ChatLog =>
  async ({ chatId, action, before, after, actor = telegramItself }, trx) => {
    const configuration = await liveConfiguration(trx, String(chatId));
    if (configuration === undefined) return;
    const subject = subjectOf(configuration, configuration.title);
    await audit.record({ actor, action, subject, before, after }, trx);
  };

/** The chat's configuration, and its title. */
export const liveConfiguration = (db: Kysely<Database>, chatId: string) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .select(['conf.id', 'conf.chatId', 'conf.collectionName', 'chat.title'])
    .where('conf.chatId', '=', chatId)
    .where('conf.deletedAt', 'is', null)
    .executeTakeFirst();
