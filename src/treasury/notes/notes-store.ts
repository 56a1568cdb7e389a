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
    return rows.map((row) => ({ address: row.address, declared: shown(declaredName, row) }));
  },
  /** One for each slice that may have one. */
  declaredAmounts: async (): Promise<readonly DeclaredAmount[]> => {
    const query = db.selectFrom('treasuryDeclaredAmounts').where((row) => row.and({ ...treasuryKey }));
    const rows = await query.selectAll().execute();
    return declarableSlices.map((slice) => {
      const row = rows.find((each) => each.slice === slice);
      return { slice, declared: row === undefined ? null : shown(declaredAmount, row) };
    });
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

type Notes = Database['treasuryLedgerNotes'];
type Names = Database['treasuryLedgerNames'];
type Amounts = Database['treasuryDeclaredAmounts'];

/** A thing that the team declares: where it is stored, and what the audit log says of it. */
export interface Declarable<Row, Fields> {
  /** Its name in the audit log is `treasury-note`. */
  readonly what: 'note' | 'name' | 'amount';
  readonly table: 'treasuryLedgerNotes' | 'treasuryLedgerNames' | 'treasuryDeclaredAmounts';
  /** The column with what it is about. */
  readonly about: 'digest' | 'address' | 'slice';
  readonly subject: (about: string, fields: Fields) => AuditEntry['subject'];
  /** Error text if there is nothing to delete. */
  readonly nothingToDelete: string;
  readonly fieldsOf: (row: Row) => Fields;
  readonly columnsOf: (fields: Fields) => Readonly<Record<string, string | null>>;
}

/** The team's note on a movement of the ledger. */
export const declaredNote: Declarable<Selectable<Notes>, Pick<Selectable<Notes>, 'text' | 'link'>> = {
  what: 'note',
  table: 'treasuryLedgerNotes',
  about: 'digest',
  subject: (digest) => ({ kind: 'treasury-movement', id: digest, label: digest }),
  nothingToDelete: 'There is no note on this movement. Refresh the page.',
  fieldsOf: ({ text, link }) => ({ text, link }),
  columnsOf: (note) => note,
};

/** The name and role of an address. */
export const declaredName: Declarable<Selectable<Names>, Pick<Selectable<Names>, 'name' | 'role'>> = {
  what: 'name',
  table: 'treasuryLedgerNames',
  about: 'address',
  subject: (address, { name }) => ({ kind: 'treasury-address', id: address, label: name }),
  nothingToDelete: 'This address has no declared name. Refresh the page.',
  fieldsOf: ({ name, role }) => ({ name, role }),
  columnsOf: (name) => name,
};

/** The amount of a slice that the chain cannot show, in USD as a decimal text. */
export const declaredAmount: Declarable<Selectable<Amounts>, { readonly usd: string }> = {
  what: 'amount',
  table: 'treasuryDeclaredAmounts',
  about: 'slice',
  subject: (slice) => ({ kind: 'treasury-slice', id: slice, label: sliceNames[slice as DeclarableSlice] }),
  nothingToDelete: 'No amount is declared for this. Refresh the page.',
  fieldsOf: ({ microUsd }) => ({ usd: toDecimalText(BigInt(microUsd), microUsdDecimals) }),
  columnsOf: ({ usd }) => ({ microUsd: String(fromDecimalText(usd, microUsdDecimals)) }),
};

export interface DeclaringDeps {
  readonly database: Kysely<Database>;
  readonly treasuryKey: TreasuryKey;
  readonly audit: Pick<AuditTrail, 'record'>;
}

export interface ChangeBy {
  readonly actor: Admin;
  /** null: any version. A row's time, to the millisecond, is its version; 0: there is no row. */
  readonly ifVersion: number | null;
}

/**
 * Saves what the team declares (null deletes it) and its audit entry, all or nothing and one at a time. A change without effect is not
 * logged. `stale`: it was made from an outdated version (rulings R6). Throws Refused (`not-found`).
 */
export const declare = <Row extends Changed, Fields extends Readonly<Record<string, unknown>>>(
  { database, treasuryKey, audit }: DeclaringDeps,
  declarable: Declarable<Row, Fields>,
  about: string,
  wanted: Fields | null,
  { actor, ifVersion }: ChangeBy,
) =>
  transact(database, async (trx) => {
    const { what, table, subject, nothingToDelete, fieldsOf, columnsOf } = declarable;
    await waitForLock(trx, `treasury-${what} ${treasuryKey.network} ${treasuryKey.treasuryAddress}`);
    const key = { ...treasuryKey, [declarable.about]: about };
    const read = async () => {
      const query = trx.selectFrom(table).where((row) => row.and(key));
      return ((await query.selectAll().executeTakeFirst()) ?? null) as Row | null;
    };
    const answer = (kind: 'saved' | 'stale', row: Row | null) => ({ kind, stored: row && shown(declarable, row) });
    const stored = await read();
    if (ifVersion !== null && ifVersion !== (stored?.updatedAt.getTime() ?? 0)) return answer('stale', stored);
    const before = stored && fieldsOf(stored);
    const fields = wanted ?? before;
    if (fields === null) throw new Refused('not-found', nothingToDelete);
    if (JSON.stringify(before) === JSON.stringify(wanted)) return answer('saved', stored);
    if (wanted === null)
      await trx
        .deleteFrom(table)
        .where((row) => row.and(key))
        .execute();
    else {
      if (table === 'treasuryLedgerNotes') await requireMovement(trx, key);
      const columns = { ...columnsOf(wanted), updatedAt: databaseNow, updatedBy: actor.name };
      await trx
        .insertInto(table)
        .values({ ...key, ...columns })
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'treasuryAddress', declarable.about])
            .doUpdateSet(excluded(...Object.keys(columns))),
        )
        .execute();
    }
    const action = `treasury-${what}-${wanted === null ? 'deleted' : 'saved'}`;
    await audit.record({ actor, action, subject: subject(about, fields), before, after: wanted }, trx);
    await publishInTransaction(trx, ledgerTopic(treasuryKey));
    return answer('saved', await read());
  });

async function requireMovement(trx: Trx, key: TreasuryKey): Promise<void> {
  const query = trx.selectFrom('ledgerEntries').where((row) => row.and({ ...key }));
  if ((await query.select('digest').executeTakeFirst()) === undefined)
    throw new Refused('not-found', 'The ledger has no such movement.');
}

export interface Changed {
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

const shown = <Row extends Changed, Fields>({ fieldsOf }: Declarable<Row, Fields>, row: Row) => ({
  ...fieldsOf(row),
  at: row.updatedAt.toISOString(),
  by: row.updatedBy,
});
