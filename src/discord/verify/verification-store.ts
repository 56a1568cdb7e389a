import { type Kysely, sql } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { Database } from '../../db/schema.ts';

/** One-time links as they are stored. Times are the database's, so that copies need no common clock. */
export interface StoredLink {
  readonly guildId: string;
  readonly userId: string;
  readonly displayName: string;
  /** Unlike the display name no other member can choose it; null: not known. */
  readonly userName: string | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly state: 'open' | 'verifying' | 'used' | 'closed';
  readonly attempts: number;
}

/** Rulings R5. */
const linkMinutes = 15;

const endsAt = sql<Date>`clock_timestamp() + ${linkMinutes} * interval '1 minute'`;
const isLive = sql<boolean>`state = 'open' and expires_at > clock_timestamp()`;

/** Throws what the database throws. */
export const createVerificationStore = (db: Kysely<Database>) => ({ ...linkRows(db), ...messageRows(db) });
export type VerificationStore = ReturnType<typeof createVerificationStore>;

function linkRows(db: Kysely<Database>) {
  return {
    /** Ends the member's older links in that server, even one whose signature is being checked. Answers until when the new one is valid. */
    begin: (hash: Buffer, member: Pick<StoredLink, 'guildId' | 'userId' | 'displayName' | 'userName'>): Promise<Date> =>
      db.transaction().execute(async (trx) => {
        const { guildId, userId, displayName, userName } = member;
        // Two at once would not see each other's, and both would stay open.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`verify ${guildId} ${userId}`}, 0))`.execute(trx);
        await trx
          .updateTable('discordVerifications')
          .set({ state: 'closed' })
          .where('guildId', '=', guildId)
          .where('userId', '=', userId)
          .where('state', 'in', ['open', 'verifying'])
          .execute();
        const row = await trx
          .insertInto('discordVerifications')
          .values({
            tokenHash: hash,
            guildId: guildId,
            userId: userId,
            displayName: displayName,
            userName: userName,
            expiresAt: endsAt,
          })
          .returning('expiresAt')
          .executeTakeFirstOrThrow();
        return row.expiresAt;
      }),

    read: async (hash: Buffer): Promise<StoredLink | null> => {
      const row = await db
        .selectFrom('discordVerifications')
        .select(['guildId', 'userId', 'displayName', 'userName', 'expiresAt', 'state', 'attempts'])
        .select(sql<boolean>`expires_at <= clock_timestamp()`.as('isExpired'))
        .where('tokenHash', '=', hash)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

function messageRows(db: Kysely<Database>) {
  return {
    /** The message replaces the one before. False: the link is no longer open. */
    keepMessage: async (hash: Buffer, wallet: string, message: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('discordVerifications')
        .set({ wallet, message })
        .where('tokenHash', '=', hash)
        .where(isLive)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Takes the message, so that it is checked only once; null: there is none for that wallet. The caller must end the link or open it
     * again: after a crash in between it stays closed.
     */
    takeMessage: async (hash: Buffer, wallet: string): Promise<{ message: string; attempts: number } | null> => {
      const { rows } = await sql<{ message: string; attempts: number }>`
        with taken as (
          select token_hash, message from discord_verifications
          where token_hash = ${hash} and wallet = ${wallet} and message is not null and ${isLive}
          for update
        )
        update discord_verifications link
        set state = 'verifying', wallet = null, message = null, attempts = link.attempts + 1
        from taken where link.token_hash = taken.token_hash
        returning taken.message, link.attempts`.execute(db);
      return rows[0] ?? null;
    },

    /** After a message was taken. False: the link was closed meanwhile by a newer one, or is gone. */
    settle: async (hash: Buffer, state: 'open' | 'closed'): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('discordVerifications')
        .set({ state })
        .where('tokenHash', '=', hash)
        .where('state', '=', 'verifying')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Uses the link up, together with what `work` writes; null, and nothing is done: the member deleted their data meanwhile, or has a
     * newer link. If `work` throws, the link stays taken.
     */
    use: <T>(hash: Buffer, work: (transaction: OpenTransaction) => Promise<T>): Promise<T | null> =>
      inTransaction(db, async (opened, trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('discordVerifications')
          .set({ state: 'used' })
          .where('tokenHash', '=', hash)
          .where('state', '=', 'verifying')
          .executeTakeFirst();
        return numUpdatedRows === 0n ? null : work(opened);
      }),
  };
}
