import { sql } from 'kysely';
import type { Kysely } from 'kysely';

import type { FoundCollection } from '../../market/contract.ts';
import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { TelegramTables } from '../tables.ts';

/** A /setup waiting for confirmation. */
export interface PendingSetup {
  /** A user's id, or the chat's own id for an anonymous admin. */
  readonly startedBy: number;
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  readonly step: 'confirm-replace' | 'confirm-supply' | 'enter-supply';
  readonly promptMessageId: number | null;
}

/** How long it waits. */
const setupMinutes = 10;

/** One pending setup per chat: a newer one replaces it. */
export function createSetupStore(db: Kysely<TelegramTables>) {
  return {
    begin: async (chatId: number, setup: Omit<PendingSetup, 'promptMessageId'>): Promise<void> => {
      const row = {
        started_by: setup.startedBy,
        topic_id: setup.topicId,
        collection_id: setup.collectionId,
        found: JSON.stringify(wireOf(setup.found)),
        step: setup.step,
        prompt_message_id: null,
        expires_at: sql<Date>`clock_timestamp() + ${setupMinutes} * interval '1 minute'`,
      };
      await db
        .insertInto('telegram_setups')
        .values({ chat_id: chatId, ...row })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(row))
        .execute();
    },

    /** `messageId`: the message with the buttons; while a number is to be entered, the one whose button was pressed. */
    goOn: async (chatId: number, step: PendingSetup['step'], messageId: number): Promise<void> => {
      await db
        .updateTable('telegram_setups')
        .set({ step, prompt_message_id: messageId })
        .where('chat_id', '=', String(chatId))
        .execute();
    },

    /** null: none, or expired. */
    read: async (chatId: number): Promise<PendingSetup | null> => {
      const row = await db
        .selectFrom('telegram_setups')
        .selectAll()
        .where('chat_id', '=', String(chatId))
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        startedBy: Number(row.started_by),
        topicId: row.topic_id === null ? null : Number(row.topic_id),
        collectionId: row.collection_id,
        found: foundOf(row.found as WireFound),
        step: row.step,
        promptMessageId: row.prompt_message_id === null ? null : Number(row.prompt_message_id),
      };
    },

    /** True for the caller that ends it: a repeated press finds it gone. */
    end: async (chatId: number, opened?: OpenTransaction): Promise<boolean> => {
      const on = opened === undefined ? db : transactionOf<TelegramTables>(opened);
      const ended = await on
        .deleteFrom('telegram_setups')
        .where('chat_id', '=', String(chatId))
        .returning('chat_id')
        .executeTakeFirst();
      return ended !== undefined;
    },
  };
}
export type SetupStore = ReturnType<typeof createSetupStore>;

/** JSON has no bigint. */
type WireFound = Omit<FoundCollection, 'floorMist'> & { readonly floorMist: string | null };
const wireOf = (found: FoundCollection): WireFound => ({ ...found, floorMist: found.floorMist?.toString() ?? null });
const foundOf = (wire: WireFound): FoundCollection => ({
  ...wire,
  floorMist: wire.floorMist === null ? null : BigInt(wire.floorMist),
});
