import type { Kysely } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { TreasuryKey } from '../ledger/ledger-store.ts';
import type { NameOfAddress } from './notes-contract.ts';

export type NotesStore = ReturnType<typeof createNotesStore>;

/** So many names are listed: each is typed by a person. */
const namesMax = 1_000;

/** What the team says of movements and addresses, for those who read the ledger. Throws what the database throws. */
export const createNotesStore = (db: Kysely<Database>, of: TreasuryKey) => ({
  /** By digest. */
  notesOf: async (digests: readonly string[]) => {
    const rows = await db
      .selectFrom('treasuryLedgerNotes')
      .where((row) => row.and({ ...of }))
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
      .where((row) => row.and({ ...of }))
      .where('address', '=', anyOf(addresses, 'text'))
      .select(['address', 'name', 'role'])
      .execute();
    return new Map(rows.map(({ address, ...declared }) => [address, declared] as const));
  },
  names: async (): Promise<readonly NameOfAddress[]> => {
    const rows = await db
      .selectFrom('treasuryLedgerNames')
      .where((row) => row.and({ ...of }))
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
});
