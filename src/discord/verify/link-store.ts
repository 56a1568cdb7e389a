import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Kysely, Selectable } from 'kysely';

import { transact, type Trx, waitForLock } from '../../db/transaction.ts';
import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { Refused } from '../../shared/failure.ts';

const tokenBytes = 32;

export type LinkTokens = ReturnType<typeof createLinkTokens>;

export function createLinkTokens(secret: string) {
  const keyed = (purpose: string, token: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, token]))
      .digest();
  const receipt = (token: string): Buffer => keyed('verification receipt', token);
  return {
    /** 43 characters of base64url. */
    newToken: (): string => randomBytes(tokenBytes).toString('base64url'),
    /** What is stored of it: without SESSION_SECRET no link can be made from a row. */
    hashOf: (token: string): Buffer => keyed('verification link', token),
    /** Given only to the one who signed: it cannot be made from the link. */
    receiptOf: (token: string): string => receipt(token).toString('base64url'),
    isReceiptOf: (token: string, text: string): boolean => {
      const given = Buffer.from(text, 'base64url');
      const expected = receipt(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** A one-time link as it is stored. Times are the database's, so that copies need no common clock. */
export interface StoredLink {
  readonly guildId: string;
  readonly userId: string;
  readonly displayName: string;
  /** Unlike the display name no other member can choose it; null: not known. */
  readonly userName: string | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly state: Selectable<Database['discordVerifications']>['state'];
  /** How many signatures were checked. */
  readonly attempts: number;
}

export type LinkedMember = Pick<StoredLink, 'guildId' | 'userId' | 'displayName' | 'userName'>;

/** Rulings R5. */
const linkMs = 15 * 60_000;
/** In the time that a link is valid. A linked wallet is checked at once, which reads the chain. */
const linksMax = 30;

export type LinkStore = ReturnType<typeof createLinkStore>;

export function createLinkStore(db: Kysely<Database>) {
  return {
    /**
     * Ends the member's older links in that server, even one whose signature is being checked. Returns when the new one expires.
     * Throws Refused `too-many-links`.
     */
    begin: (hash: Buffer, member: LinkedMember): Promise<Date> =>
      transact(db, async (trx) => {
        const { guildId, userId, displayName, userName } = member;
        // Without the lock, two at once would not see each other's link, and both would stay open.
        await waitForLock(trx, `verify ${guildId} ${userId}`);
        const theirs = trx.selectFrom('discordVerifications').where((eb) => eb.and({ guildId, userId }));
        const recent = await theirs.where('expiresAt', '>', databaseNow).select('state').execute();
        if (recent.length >= linksMax)
          throw new Refused(
            'too-many-links',
            `You got ${linksMax} links within a quarter of an hour. Please wait a few minutes.`,
          );
        await trx
          .updateTable('discordVerifications')
          .set({ state: 'closed' })
          .where((eb) => eb.and({ guildId, userId, state: 'open' }))
          .execute();
        const link = { tokenHash: hash, guildId, userId, displayName, userName, expiresAt: databaseNowPlus(linkMs) };
        const made = trx.insertInto('discordVerifications').values(link).returning('expiresAt');
        return (await made.executeTakeFirstOrThrow()).expiresAt;
      }),

    read: async (hash: Buffer): Promise<StoredLink | null> => {
      const link = await db
        .selectFrom('discordVerifications')
        .select(['guildId', 'userId', 'displayName', 'userName', 'expiresAt', 'state', 'attempts'])
        .select((eb) => eb('expiresAt', '<=', databaseNow).as('isExpired'))
        .where('tokenHash', '=', hash)
        .executeTakeFirst();
      return link === undefined ? null : { ...link, isExpired: Boolean(link.isExpired) };
    },

    /** The message replaces the previous one. False: the link is no longer open. */
    keepMessage: async (hash: Buffer, wallet: string, message: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('discordVerifications')
        .set({ wallet, message })
        .where((eb) => eb.and({ tokenHash: hash, state: 'open' }))
        .where('expiresAt', '>', databaseNow)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    takeMessage: (hash: Buffer, wallet: string) => takeMessage(db, hash, wallet),

    /** The signature could not be checked, so it does not count as tried. */
    uncountAttempt: async (hash: Buffer): Promise<void> => {
      const links = db.updateTable('discordVerifications').where('tokenHash', '=', hash);
      await links.set((eb) => ({ attempts: eb('attempts', '-', 1) })).execute();
    },

    /** Uses the link up, together with what `work` writes; null, and nothing is done: the member deleted their data, or has a newer link. */
    use: <T>(hash: Buffer, work: (trx: Trx) => Promise<T>): Promise<T | null> =>
      transact(db, async (trx) => {
        const links = trx.updateTable('discordVerifications').set({ state: 'used' });
        const used = links.where((eb) => eb.and({ tokenHash: hash, state: 'open' }));
        return (await used.executeTakeFirst()).numUpdatedRows === 1n ? work(trx) : null;
      }),
  };
}

/** Takes the message, so that it is checked only once; null: there is none for that wallet. */
async function takeMessage(db: Kysely<Database>, hash: Buffer, wallet: string): Promise<string | null> {
  const taken = await db
    .with('taken', (query) =>
      query
        .selectFrom('discordVerifications')
        .select(['tokenHash', 'message'])
        .where((eb) => eb.and({ tokenHash: hash, wallet, state: 'open' }))
        .where('message', 'is not', null)
        .where('expiresAt', '>', databaseNow)
        .forUpdate(),
    )
    .updateTable('discordVerifications as link')
    .from('taken')
    .set((eb) => ({ wallet: null, message: null, attempts: eb('link.attempts', '+', 1) }))
    .whereRef('link.tokenHash', '=', 'taken.tokenHash')
    .returning('taken.message')
    .executeTakeFirst();
  return taken?.message ?? null;
}
