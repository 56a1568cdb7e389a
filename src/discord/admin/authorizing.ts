import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { Admin } from '../../http/admin-call.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { keptSince } from '../../retention/purge.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';
import type { AuditTrail, Clock } from '../ports.ts';
import { authorizationExpiry } from '../roles/job-names.ts';
import { markDue } from '../roles/member-store.ts';
import type { AuthorizedWalletsAnswer } from '../members-contract.ts';

export interface AuthorizingDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
  /** Members are due for a check. */
  readonly wake: () => void;
}

/** A wallet that counts as holding in a server (rulings R5), with reason, author and end. */
type AuthorizedWallet = AuthorizedWalletsAnswer['data'][number];

const shownMax = 500;
const nameMax = 100;

/** Of a row `a` of discord_authorized_wallets. */
export const isActive = sql<boolean>`(a.removed_at is null and (a.expires_at is null or a.expires_at > clock_timestamp()))`;

const walletsIn = (db: Kysely<Database>, guildId: string) =>
  db
    .selectFrom('discordAuthorizedWallets as a')
    .leftJoin('discordWallets as w', (join) =>
      join.onRef('w.guildId', '=', 'a.guildId').onRef('w.wallet', '=', 'a.wallet'),
    )
    .leftJoin('discordMembers as m', (join) =>
      join.onRef('m.guildId', '=', 'w.guildId').onRef('m.userId', '=', 'w.userId'),
    )
    .select(['a.id', 'a.wallet', 'a.reason', 'a.expiresAt', 'a.addedBy', 'a.addedAt', 'a.removedBy', 'a.removedAt'])
    .select([isActive.as('isActive'), 'm.userId', 'm.displayName'])
    .where('a.guildId', '=', guildId);

type Row = Awaited<ReturnType<ReturnType<typeof walletsIn>['executeTakeFirstOrThrow']>>;

const toWallet = ({ userId, displayName, ...row }: Row): AuthorizedWallet => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  addedAt: row.addedAt.toISOString(),
  removedAt: row.removedAt?.toISOString() ?? null,
  member: userId === null ? null : { userId, displayName: cleanText(displayName ?? '', nameMax) },
});

/** Newest first, including those that ended in the last 30 days. */
export async function listAuthorized(db: Kysely<Database>, guildId: string): Promise<readonly AuthorizedWallet[]> {
  const rows = await walletsIn(db, guildId)
    .where((eb) =>
      eb.or([eb('a.removedAt', 'is', null), eb('a.removedAt', '>', keptSince('discord_authorized_wallets'))]),
    )
    .orderBy('a.id', 'desc')
    .limit(shownMax)
    .execute();
  return rows.map(toWallet);
}

/** Throws Refused. */
async function readAuthorized(trx: Trx, guildId: string, id: string): Promise<AuthorizedWallet> {
  const row = await walletsIn(trx, guildId).where('a.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new Refused('not-found', 'There is no such authorized wallet. Refresh the list.');
  return toWallet(row);
}

/** Ends authorizations when they expire. */
export const authorizationExpiryJob = ({ db, audit, wake }: AuthorizingDeps): JobDefinition<object> => ({
  ...authorizationExpiry,
  failing: 'Expired authorizations of wallets could not be ended',
  run: async () => {
    if (await transact(db, (trx) => expire(trx, audit, null))) wake();
  },
});

const subjectOf = (guildId: string, guildName: string) => ({ kind: 'discord-guild', id: guildId, label: guildName });

const expiredAtOnceMax = 1_000;

async function markLinkers(
  trx: Trx,
  wallets: readonly { readonly guildId: string; readonly wallet: string }[],
  cause: string,
): Promise<void> {
  const members = await trx
    .selectFrom('discordWallets')
    .select(['guildId', 'userId'])
    .where((eb) => {
      const given = wallets.map(({ guildId, wallet }) => eb.tuple(guildId, wallet));
      return eb(eb.refTuple('guildId', 'wallet'), 'in', given);
    })
    .execute();
  const due = members.map((member) => ({ ...member, cause }));
  await markDue(trx, due);
}

/** Those expired, of one server or of all; each is ended only once. */
async function expire(trx: Trx, audit: AuditTrail, guildId: string | null): Promise<boolean> {
  const ended = await trx
    .with('due', (db) =>
      db
        .selectFrom('discordAuthorizedWallets')
        .select('id')
        .where('removedAt', 'is', null)
        .where('expiresAt', '<=', databaseNow)
        .$if(guildId !== null, (query) => query.where('guildId', '=', guildId ?? ''))
        .orderBy('id')
        .limit(expiredAtOnceMax)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('discordAuthorizedWallets as a')
    .from(['due', 'discordGuilds as g'])
    .set((eb) => ({ removedAt: eb.ref('a.expiresAt') }))
    .whereRef('a.id', '=', 'due.id')
    .whereRef('g.guildId', '=', 'a.guildId')
    .returning(['a.guildId', 'g.name as guildName', 'a.wallet', 'a.expiresAt'])
    .execute();
  if (ended.length === 0) return false;
  // All at once: one by one, members would be locked out of the common order.
  await markLinkers(trx, ended, 'authorization-ended');
  for (const { guildId: of, guildName, wallet, expiresAt } of ended) {
    await audit.record(
      {
        actor: { kind: 'system', name: 'authorized wallets' },
        action: 'discord-wallet-authorization-expired',
        subject: subjectOf(of, guildName),
        before: { wallet, expiresAt: expiresAt?.toISOString() ?? null },
        after: null,
      },
      trx,
    );
  }
  return true;
}

interface Given {
  readonly guildId: string;
  readonly wallet: string;
  readonly reason: string;
  readonly expiresAt: string | null;
}

/** Throws Invalid (`invalid-wallet`, `expiry-in-the-past`) and Refused (`not-found`). */
export async function authorize(
  { db, audit, clock, wake }: AuthorizingDeps,
  given: Given,
  actor: Admin,
): Promise<AuthorizedWallet | 'already-authorized'> {
  const { guildId, reason } = given;
  const wallet = canonicalWallet(given.wallet);
  if (wallet === null) throw new Invalid('invalid-wallet', 'A wallet address is 0x and 64 hexadecimal digits.');
  const expiresAt = given.expiresAt === null ? null : new Date(given.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw new Invalid('expiry-in-the-past', 'The expiry must be in the future. Leave it out for no expiry.');
  }
  const added = await transact(db, async (trx) => {
    const guildName = await knownGuild(trx, guildId);
    await expire(trx, audit, guildId);
    const inserted = await trx
      .insertInto('discordAuthorizedWallets')
      .values({ guildId, wallet, reason, expiresAt, addedBy: actor.name })
      .onConflict((conflict) => conflict.columns(['guildId', 'wallet']).where('removedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) return null;
    await markLinkers(trx, [{ guildId, wallet }], 'authorized');
    const after = { wallet, reason, expiresAt: expiresAt?.toISOString() ?? null };
    const entry = { actor, action: 'discord-wallet-authorized', subject: subjectOf(guildId, guildName) };
    await audit.record({ ...entry, before: null, after }, trx);
    return readAuthorized(trx, guildId, inserted.id);
  });
  if (added === null) return 'already-authorized';
  wake();
  return added;
}

/** Throws Refused (`not-found`). Ending an ended one is harmless. */
export async function endAuthorization(
  { db, audit, wake }: AuthorizingDeps,
  guildId: string,
  id: string,
  actor: Admin,
): Promise<AuthorizedWallet> {
  const ended = await transact(db, async (trx) => {
    const guildName = await knownGuild(trx, guildId);
    const found = await readAuthorized(trx, guildId, id);
    const { numUpdatedRows } = await trx
      .updateTable('discordAuthorizedWallets')
      .set({ removedAt: databaseNow, removedBy: actor.name })
      .where('id', '=', id)
      .where('removedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return found;
    const { wallet, reason, expiresAt } = found;
    await markLinkers(trx, [{ guildId, wallet }], 'authorization-ended');
    const entry = { actor, action: 'discord-wallet-authorization-removed', subject: subjectOf(guildId, guildName) };
    await audit.record({ ...entry, before: { wallet, reason, expiresAt }, after: null }, trx);
    return readAuthorized(trx, guildId, id);
  });
  wake();
  return ended;
}

async function knownGuild(trx: Trx, guildId: string): Promise<string> {
  const guild = await trx.selectFrom('discordGuilds').select('name').where('guildId', '=', guildId).executeTakeFirst();
  if (guild === undefined) throw new Refused('not-found', 'The bot is not in this server. Refresh the list.');
  return guild.name;
}
