import type { Kysely } from 'kysely';

import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { FoundCollection } from '../../market/contract.ts';

export interface PendingSetup {
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  /** Set while the setup waits for a number: the message whose button asked for it. */
  readonly promptMessageId: number | null;
}

const setupMs = 10 * 60_000;

/** One pending setup per chat: a newer one replaces it. */
export const createSetupStore = (db: Kysely<Database>) => ({
  begin: async (chatId: number, setup: Omit<PendingSetup, 'promptMessageId'>): Promise<void> => {
    const found = JSON.stringify(wireOf(setup.found));
    const topicId = setup.topicId?.toString() ?? null;
    const row = { ...setup, topicId, found, promptMessageId: null, expiresAt: databaseNowPlus(setupMs) };
    await db
      .insertInto('telegramSetups')
      .values({ chatId, ...row })
      .onConflict((conflict) => conflict.column('chatId').doUpdateSet(row))
      .execute();
  },

  enterSupply: async (chatId: number, promptMessageId: number): Promise<void> => {
    await db
      .updateTable('telegramSetups')
      .set({ promptMessageId: String(promptMessageId) })
      .where('chatId', '=', String(chatId))
      .execute();
  },

  /** null: none, or expired. */
  read: async (chatId: number): Promise<PendingSetup | null> => {
    const row = await db
      .selectFrom('telegramSetups')
      .selectAll()
      .where('chatId', '=', String(chatId))
      .where('expiresAt', '>', databaseNow)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { topicId, promptMessageId } = row;
    return {
      ...row,
      topicId: topicId === null ? null : Number(topicId),
      found: foundOf(row.found as WireFound),
      promptMessageId: promptMessageId === null ? null : Number(promptMessageId),
    };
  },

  /** Whether this call ended it: for a repeated press it is already gone. */
  end: async (chatId: number, on: Kysely<Database> = db): Promise<boolean> => {
    const { numDeletedRows } = await on
      .deleteFrom('telegramSetups')
      .where('chatId', '=', String(chatId))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});
export type SetupStore = ReturnType<typeof createSetupStore>;

/** JSON has no bigint. */
type WireFound = Omit<FoundCollection, 'floorMist'> & { readonly floorMist: string | null };
const wireOf = (found: FoundCollection): WireFound => ({ ...found, floorMist: found.floorMist?.toString() ?? null });
const foundOf = (wire: WireFound): FoundCollection => ({
  ...wire,
  floorMist: wire.floorMist === null ? null : BigInt(wire.floorMist),
});
