import { type Kysely, sql } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DiscordTables } from './tables.ts';

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
export const createVerificationStore = (db: Kysely<DiscordTables>) => ({ ...linkRows(db), ...messageRows(db) });
export type VerificationStore = ReturnType<typeof createVerificationStore>;

function linkRows(db: Kysely<DiscordTables>) {
  return {
    /** Ends the member's older links in that server, also one whose signature is being checked. Answers until when the new one holds. */
    begin: (hash: Buffer, member: Pick<StoredLink, 'guildId' | 'userId' | 'displayName' | 'userName'>): Promise<Date> =>
      db.transaction().execute(async (trx) => {
        const { guildId, userId, displayName, userName } = member;
        // Two in one moment would not see each other's, and both would stay open.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`verify ${guildId} ${userId}`}, 0))`.execute(trx);
        await trx
          .updateTable('discord_verifications')
          .set({ state: 'closed' })
          .where('guild_id', '=', guildId)
          .where('user_id', '=', userId)
          .where('state', 'in', ['open', 'verifying'])
          .execute();
        const row = await trx
          .insertInto('discord_verifications')
          .values({
            token_hash: hash,
            guild_id: guildId,
            user_id: userId,
            display_name: displayName,
            user_name: userName,
            expires_at: endsAt,
          })
          .returning('expires_at')
          .executeTakeFirstOrThrow();
        return row.expires_at;
      }),

    read: async (hash: Buffer): Promise<StoredLink | null> => {
      const row = await db
        .selectFrom('discord_verifications')
        .selectAll()
        .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired'))
        .where('token_hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        guildId: row.guild_id,
        userId: row.user_id,
        displayName: row.display_name,
        userName: row.user_name,
        expiresAt: row.expires_at,
        isExpired: row.is_expired,
        state: row.state,
        attempts: row.attempts,
      };
    },
  };
}

function messageRows(db: Kysely<DiscordTables>) {
  return {
    /** The message takes the place of the one before. False: the link is not open any more. */
    keepMessage: async (hash: Buffer, wallet: string, message: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('discord_verifications')
        .set({ wallet, message })
        .where('token_hash', '=', hash)
        .where(isLive)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Takes the message away, so that it is checked once, whoever asks at the same time; null: there is none for that wallet. Whoever
     * takes it must end the link, or open it again: after a crash in between it stays shut.
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

    /** After a message was taken. False: the link was closed meanwhile, for there is a newer one, or it is gone. */
    settle: async (hash: Buffer, state: 'open' | 'closed'): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('discord_verifications')
        .set({ state })
        .where('token_hash', '=', hash)
        .where('state', '=', 'verifying')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Uses the link up, together with what `work` writes; null, and nothing is done: the member has had their data deleted meanwhile,
     * or has a newer link. A throw of `work` leaves it taken.
     */
    use: <T>(hash: Buffer, work: (transaction: OpenTransaction) => Promise<T>): Promise<T | null> =>
      inTransaction(db, async (opened, trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('discord_verifications')
          .set({ state: 'used' })
          .where('token_hash', '=', hash)
          .where('state', '=', 'verifying')
          .executeTakeFirst();
        return numUpdatedRows === 0n ? null : work(opened);
      }),
  };
}
