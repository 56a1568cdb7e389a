import type { Kysely, Selectable } from 'kysely';

import type { AuditEntry, AuditTrail } from '../../audit/contract.ts';
import { publishInTransaction } from '../../db/change-signal.ts';
import { anyOf, databaseNow, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx, waitForLock } from '../../db/transaction.ts';
import type { Admin } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import { fromDecimalText, microUsdDecimals, toDecimalText } from '../../shared/money.ts';
import { type DeclaredAmount, sliceNames } from '../core/allocation.ts';
import { declarableSlices, type DeclarableSlice } from '../core/ledger-words.ts';
import { isSameTransaction, ledgerTopic } from '../ledger/ledger-store.ts';
import type { TreasuryKey } from '../treasury-store.ts';

/** More marks than this cannot be told apart on a chart. */
const latestMax = 100;
/** At most this many names are listed: people type them one by one. */
const namesMax = 1_000;

/** What the team declares about movements, addresses and slices, for readers of the ledger. Throws what the database throws. */
export const createNotesStore = (db: Kysely<Database>, treasuryKey: TreasuryKey) => ({
  /** By digest. */
  notesOf: async (digests: readonly string[]) => {
    const rows = await db
      .selectFrom('treasuryLedgerNotes')
      .where((row) => row.and({ ...treasuryKey }))
      .where('digest', '=', anyOf(digests, 'text'))
      .select(['digest', 'text', 'link', 'updatedAt'])
      .execute();
    return new Map(
      rows.map(({ digest, updatedAt, ...note }) => [digest, { ...note, at: updatedAt.toISOString() }] as const),
    );
  },
  /** By address. */
  namesOf: async (addresses: readonly string[]) => {
    const rows = await db
      .selectFrom('treasuryLedgerNames')
      .where((row) => row.and({ ...treasuryKey }))
      .where('address', '=', anyOf(addresses, 'text'))
      .select(['address', 'name', 'role'])
      .execute();
    return new Map(rows.map(({ address, ...declared }) => [address, declared] as const));
  },
  names: async () => {
    const rows = await db
      .selectFrom('treasuryLedgerNames')
      .where((row) => row.and({ ...treasuryKey }))
      .orderBy('name')
      .orderBy('address')
      .limit(namesMax)
      .selectAll()
      .execute();
    return rows.map(({ address, name, role, updatedAt, updatedBy: by }) => ({
      address,
      declared: { name, role, at: updatedAt.toISOString(), by },
    }));
  },
  /** One for each slice that may have one. */
  declaredAmounts: async (): Promise<readonly DeclaredAmount[]> => {
    const query = db.selectFrom('treasuryDeclaredAmounts').where((row) => row.and({ ...treasuryKey }));
    const rows = await query.selectAll().execute();
    const found = (slice: DeclarableSlice) => shown(storedAmount(rows.find((row) => row.slice === slice)));
    return declarableSlices.map((slice) => ({ slice, declared: found(slice) }));
  },
  /** On the latest movements that have one, with the time of the movement, oldest first. */
  latest: async () => {
    const rows = await db
      .selectFrom('treasuryLedgerNotes as note')
      .innerJoin('ledgerEntries as entry', (join) => join.on(isSameTransaction('entry', 'note')))
      .where('note.network', '=', treasuryKey.network)
      .where('note.treasuryAddress', '=', treasuryKey.treasuryAddress)
      .orderBy('entry.happenedAt', 'desc')
      .limit(latestMax)
      .select(['entry.happenedAt as at', 'note.digest', 'note.text'])
      .execute();
    return rows.toReversed();
  },
});

export interface DeclaringDeps {
  readonly database: Kysely<Database>;
  readonly treasuryKey: TreasuryKey;
  readonly audit: Pick<AuditTrail, 'record'>;
}

export interface ChangeBy {
  readonly actor: Admin;
  /** null: any version. */
  readonly ifVersion: number | null;
}

type Note = Pick<Selectable<Database['treasuryLedgerNotes']>, 'text' | 'link'>;
type Name = Pick<Selectable<Database['treasuryLedgerNames']>, 'name' | 'role'>;

/** The team's note on a movement of the ledger; null deletes it. Throws Refused (`not-found`). */
export async function declareNote(deps: DeclaringDeps, digest: string, wanted: Note | null, by: ChangeBy) {
  const key = { ...deps.treasuryKey, digest };
  const { kind, stored } = await declare(deps, by, {
    what: 'treasury-note',
    subject: () => ({ kind: 'treasury-movement', id: digest, label: digest }),
    nothingToDelete: 'There is no note on this movement. Refresh the page.',
    wanted,
    read: async (trx) => {
      const query = trx.selectFrom('treasuryLedgerNotes').where((row) => row.and(key));
      const row = await query.selectAll().executeTakeFirst();
      return row === undefined ? null : { ...row, fields: { text: row.text, link: row.link } };
    },
    save: async (trx, note) => {
      const query = trx.selectFrom('ledgerEntries').where((row) => row.and(key));
      if ((await query.select('digest').executeTakeFirst()) === undefined)
        throw new Refused('not-found', 'The ledger has no such movement.');
      await trx
        .insertInto('treasuryLedgerNotes')
        .values({ ...key, ...note })
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'treasuryAddress', 'digest'])
            .doUpdateSet(excluded('text', 'link', 'updatedAt', 'updatedBy')),
        )
        .execute();
    },
    remove: async (trx) => {
      const query = trx.deleteFrom('treasuryLedgerNotes').where((row) => row.and(key));
      await query.execute();
    },
  });
  return { kind, current: { digest, note: shown(stored) } };
}

/** The name and role that the team declares for an address; null deletes them. Throws Refused (`not-found`). */
export async function declareName(deps: DeclaringDeps, address: string, wanted: Name | null, by: ChangeBy) {
  const key = { ...deps.treasuryKey, address };
  const { kind, stored } = await declare(deps, by, {
    what: 'treasury-name',
    subject: ({ name }) => ({ kind: 'treasury-address', id: address, label: name }),
    nothingToDelete: 'This address has no declared name. Refresh the page.',
    wanted,
    read: async (trx) => {
      const query = trx.selectFrom('treasuryLedgerNames').where((row) => row.and(key));
      const row = await query.selectAll().executeTakeFirst();
      return row === undefined ? null : { ...row, fields: { name: row.name, role: row.role } };
    },
    save: (trx, name) =>
      trx
        .insertInto('treasuryLedgerNames')
        .values({ ...key, ...name })
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'treasuryAddress', 'address'])
            .doUpdateSet(excluded('name', 'role', 'updatedAt', 'updatedBy')),
        )
        .execute(),
    remove: async (trx) => {
      const query = trx.deleteFrom('treasuryLedgerNames').where((row) => row.and(key));
      await query.execute();
    },
  });
  return { kind, current: { address, declared: shown(stored) } };
}

type Amount = Selectable<Database['treasuryDeclaredAmounts']>;
const storedAmount = (row: Amount | undefined) =>
  row === undefined ? null : { ...row, fields: { usd: toDecimalText(BigInt(row.microUsd), microUsdDecimals) } };

/** The declared amount of a slice that the chain cannot show, in USD as a decimal text; null deletes it. Throws Refused (`not-found`). */
export async function declareAmount(deps: DeclaringDeps, slice: DeclarableSlice, usd: string | null, by: ChangeBy) {
  const key = { ...deps.treasuryKey, slice };
  const { kind, stored } = await declare(deps, by, {
    what: 'treasury-amount',
    subject: () => ({ kind: 'treasury-slice', id: slice, label: sliceNames[slice] }),
    nothingToDelete: 'No amount is declared for this. Refresh the page.',
    wanted: usd === null ? null : { usd },
    read: async (trx) => {
      const query = trx.selectFrom('treasuryDeclaredAmounts').where((row) => row.and(key));
      return storedAmount(await query.selectAll().executeTakeFirst());
    },
    save: (trx, { usd: amount, ...row }) =>
      trx
        .insertInto('treasuryDeclaredAmounts')
        .values({ ...key, ...row, microUsd: String(fromDecimalText(amount, microUsdDecimals)) })
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'treasuryAddress', 'slice'])
            .doUpdateSet(excluded('microUsd', 'updatedAt', 'updatedBy')),
        )
        .execute(),
    remove: async (trx) => {
      const query = trx.deleteFrom('treasuryDeclaredAmounts').where((row) => row.and(key));
      await query.execute();
    },
  });
  return { kind, current: { slice, declared: shown(stored) } };
}

/** A stored row. Its time, to the millisecond, is its version. */
interface Stored<Fields> {
  readonly fields: Fields;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

const shown = <Fields extends object>(stored: Stored<Fields> | null) =>
  stored === null ? null : { ...stored.fields, at: stored.updatedAt.toISOString(), by: stored.updatedBy };

interface Declaration<Fields> {
  /** Its name in the audit log, such as `treasury-note`. */
  readonly what: string;
  readonly subject: (fields: Fields) => AuditEntry['subject'];
  /** Error text if there is nothing to delete. */
  readonly nothingToDelete: string;
  readonly wanted: Fields | null;
  readonly read: (trx: Trx) => Promise<Stored<Fields> | null>;
  readonly save: (
    trx: Trx,
    row: Fields & { readonly updatedAt: typeof databaseNow; readonly updatedBy: string },
  ) => Promise<unknown>;
  readonly remove: (trx: Trx) => Promise<unknown>;
}

/**
 * Saves a change and its audit entry, all or nothing and one at a time. A change without effect is not logged. `stale`: it was made from
 * an outdated version (rulings R6).
 */
const declare = <Fields extends Readonly<Record<string, unknown>>>(
  { database, treasuryKey, audit }: DeclaringDeps,
  { actor, ifVersion }: ChangeBy,
  { what, subject, nothingToDelete, wanted, read, save, remove }: Declaration<Fields>,
) =>
  transact(database, async (trx): Promise<{ kind: 'saved' | 'stale'; stored: Stored<Fields> | null }> => {
    await waitForLock(trx, `${what} ${treasuryKey.network} ${treasuryKey.treasuryAddress}`);
    const stored = await read(trx);
    if (ifVersion !== null && ifVersion !== (stored?.updatedAt.getTime() ?? 0)) return { kind: 'stale', stored };
    const before = stored?.fields ?? null;
    const fields = wanted ?? before;
    if (fields === null) throw new Refused('not-found', nothingToDelete);
    if (JSON.stringify(before) === JSON.stringify(wanted)) return { kind: 'saved', stored };
    await (wanted === null ? remove(trx) : save(trx, { ...wanted, updatedAt: databaseNow, updatedBy: actor.name }));
    const action = `${what}-${wanted === null ? 'deleted' : 'saved'}`;
    await audit.record({ actor, action, subject: subject(fields), before, after: wanted }, trx);
    await publishInTransaction(trx, ledgerTopic(treasuryKey));
    return { kind: 'saved', stored: await read(trx) };
  });
