import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { type LedgerProof, unexplainedText } from '../core/ledger-proof.ts';
import type { MetadataBook } from '../metadata-book.ts';
import type { TreasuryKey } from './ledger-store.ts';

export type Unexplained = ReturnType<typeof createUnexplained>;

/** What the last comparison with the chain left unexplained, for the owner's alarm: the same in every copy and after a restart. */
export const createUnexplained = (db: Kysely<Database>, of: TreasuryKey, metadata: Pick<MetadataBook, 'entries'>) => ({
  keep: async (proof: LedgerProof): Promise<void> => {
    const known = metadata.entries();
    await db
      .updateTable('ledgerReadings')
      .where((row) => row.and({ ...of }))
      .set({
        unexplainedCoins: proof.coins.filter(({ unexplainedRaw }) => unexplainedRaw !== 0n).length,
        unexplainedText: unexplainedText(proof, (coinType) => known.get(coinType) ?? null),
      })
      .execute();
  },
  /** '+12.5 SUI'; null: nothing, as far as was compared. */
  text: async (): Promise<string | null> => {
    const query = db.selectFrom('ledgerReadings').where((row) => row.and({ ...of }));
    return (await query.select('unexplainedText').executeTakeFirst())?.unexplainedText ?? null;
  },
});
