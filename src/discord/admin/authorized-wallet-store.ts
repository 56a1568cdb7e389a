import { type Kysely, sql } from 'kysely';

import { keptSince } from '../../retention/purge.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { AuthorizedWalletsAnswer } from '../wallets-contract.ts';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;
export type AuthorizedWallet = AuthorizedWalletsAnswer['data'][number];

const shownMax = 500;
const nameMax = 100;

interface Row extends Record<'addedAt', Date>, Record<'expiresAt' | 'removedAt', Date | null> {
  readonly id: string;
  readonly wallet: string;
  readonly reason: string;
  readonly isActive: boolean;
  readonly addedBy: string;
  readonly removedBy: string | null;
  readonly userId: string | null;
  readonly displayName: string | null;
}

const rowsOf = sql`
  select a.id, a.wallet, a.reason, a.expires_at, a.added_by, a.added_at, a.removed_by, a.removed_at,
    a.removed_at is null and (a.expires_at is null or a.expires_at > clock_timestamp()) as is_active,
    m.user_id, m.display_name
  from discord_authorized_wallets a
    left join discord_wallets w on w.guild_id = a.guild_id and w.wallet = a.wallet
    left join discord_members m on m.guild_id = w.guild_id and m.user_id = w.user_id`;

const toWallet = ({ userId, displayName, ...row }: Row): AuthorizedWallet => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  addedAt: row.addedAt.toISOString(),
  removedAt: row.removedAt?.toISOString() ?? null,
  member: userId === null ? null : { userId, displayName: cleanText(displayName ?? '', nameMax) },
});

/** Newest first, including those that ended in the last 30 days. */
export async function listAuthorized(db: Db, guildId: string): Promise<readonly AuthorizedWallet[]> {
  const { rows } = await sql<Row>`
    ${rowsOf} where a.guild_id = ${guildId}
      and (a.removed_at is null or a.removed_at > ${keptSince('discord_authorized_wallets')})
    order by a.id desc limit ${shownMax}`.execute(db);
  return rows.map(toWallet);
}

/** null: no such id in this server. */
export async function findAuthorized(db: Db, guildId: string, id: string): Promise<AuthorizedWallet | null> {
  const { rows } = await sql<Row>`${rowsOf} where a.guild_id = ${guildId} and a.id = ${id}`.execute(db);
  return rows[0] === undefined ? null : toWallet(rows[0]);
}

export interface NewAuthorization {
  readonly guildId: string;
  /** Canonical. */
  readonly wallet: string;
  readonly reason: string;
  readonly expiresAt: Date | null;
  readonly addedBy: string;
}

/** The new id; null: it is authorized already. */
export async function insertAuthorized(trx: Db, given: NewAuthorization): Promise<string | null> {
  const { guildId, wallet, reason, expiresAt, addedBy } = given;
  const { rows } = await sql<{ id: string }>`
    insert into discord_authorized_wallets (guild_id, wallet, reason, expires_at, added_by)
    values (${guildId}, ${wallet}, ${reason}, ${expiresAt}, ${addedBy})
    on conflict (guild_id, wallet) where removed_at is null do nothing returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

/** False: it had ended before. */
export async function removeAuthorized(trx: Db, id: string, by: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_authorized_wallets set removed_at = clock_timestamp(), removed_by = ${by}
    where id = ${id} and removed_at is null`.execute(trx);
  return numAffectedRows === 1n;
}

export interface ExpiredAuthorization {
  readonly id: string;
  readonly guildId: string;
  readonly guildName: string;
  readonly wallet: string;
  readonly expiresAt: Date;
}

/** Ends expired authorizations, of one server or of all; each is ended only once. */
export async function endExpired(trx: Db, guildId: string | null): Promise<readonly ExpiredAuthorization[]> {
  const { rows } = await sql<ExpiredAuthorization>`
    with due as (
      select id from discord_authorized_wallets
      where removed_at is null and expires_at <= clock_timestamp() and (${guildId}::text is null or guild_id = ${guildId})
      order by id limit 1000 for no key update skip locked
    )
    update discord_authorized_wallets a set removed_at = a.expires_at from due, discord_guilds g
    where a.id = due.id and g.guild_id = a.guild_id
    returning a.id, a.guild_id, g.name as guild_name, a.wallet, a.expires_at`.execute(trx);
  return rows;
}
