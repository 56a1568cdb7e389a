import { sql } from 'kysely';

import type { Trx } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { LedgerEntry } from '../core/ledger-rules.ts';
import type { TreasuryKey } from '../treasury-store.ts';

const rowsAtOnceMax = 2_000;
/** A stranger may send thousands of worthless NFTs at once: only this many are listed. */
const strangersNftsMax = 20;

/** Inserts entries with their sums. An entry that already exists stays unchanged. */
export async function insertPage(
  trx: Trx,
  treasuryKey: TreasuryKey,
  entries: readonly LedgerEntry[],
  knownCoins: ReadonlySet<string>,
): Promise<void> {
  const fresh = await insertEntries(trx, treasuryKey, entries);
  await insertMoves(trx, treasuryKey, fresh);
  await addToSums(trx, treasuryKey, fresh, knownCoins);
}

/** Returns the entries that did not exist yet. */
async function insertEntries(trx: Trx, treasuryKey: TreasuryKey, entries: readonly LedgerEntry[]) {
  if (entries.length === 0) return [];
  const inserted = await trx
    .insertInto('ledgerEntries')
    .values(
      entries.map(({ changes: _changes, sent: _sent, nfts, at, ...entry }) => ({
        ...treasuryKey,
        ...entry,
        happenedAt: at,
        nftCount: nfts.length,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .execute();
  const digests = new Set(inserted.map(({ digest }) => digest));
  return entries.filter(({ digest }) => digests.has(digest));
}

/** Inserts what moved in the entries, and who received it. */
async function insertMoves(trx: Trx, treasuryKey: TreasuryKey, entries: readonly LedgerEntry[]): Promise<void> {
  const changes = entries.flatMap(({ digest, checkpoint, position, at: happenedAt, changes: moved }) =>
    moved.map((change) => ({ ...treasuryKey, digest, checkpoint, position, happenedAt, ...change })),
  );
  const nfts = entries.flatMap(({ digest, checkpoint, position, nfts: moved, sender }) => {
    const came = moved.filter(({ direction }) => direction === 'in');
    const others = moved.filter(({ direction }) => direction !== 'in');
    const listed = sender === treasuryKey.treasuryAddress ? moved : [...others, ...came.slice(0, strangersNftsMax)];
    return listed.map(({ to: _to, ...move }) => ({ ...treasuryKey, digest, checkpoint, position, ...move }));
  });
  const recipients = entries.flatMap(({ digest, checkpoint, position, at: happenedAt, sent }) =>
    sent.map((each) => ({ ...treasuryKey, digest, checkpoint, position, happenedAt, ...each })),
  );
  for (const rows of chunksOf(changes, rowsAtOnceMax)) await trx.insertInto('ledgerChanges').values(rows).execute();
  for (const rows of chunksOf(nfts, rowsAtOnceMax)) await trx.insertInto('ledgerNfts').values(rows).execute();
  for (const rows of chunksOf(recipients, rowsAtOnceMax))
    await trx.insertInto('ledgerRecipients').values(rows).execute();
}

async function addToSums(
  trx: Trx,
  treasuryKey: TreasuryKey,
  entries: readonly LedgerEntry[],
  knownCoins: ReadonlySet<string>,
): Promise<void> {
  const byCoin = Map.groupBy(
    entries.flatMap(({ changes }) => changes),
    ({ coinType }) => coinType,
  );
  const rows = [...byCoin].map(([coinType, changes]) => ({
    ...treasuryKey,
    coinType,
    inRaw: changes.reduce((sum, { raw }) => (raw > 0n ? sum + raw : sum), 0n),
    outRaw: changes.reduce((sum, { raw }) => (raw < 0n ? sum - raw : sum), 0n),
    isKnown: knownCoins.has(coinType),
  }));
  for (const chunk of chunksOf(rows, rowsAtOnceMax)) {
    await trx
      .insertInto('ledgerCoins')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['network', 'treasuryAddress', 'coinType']).doUpdateSet((row) => ({
          inRaw: row('ledgerCoins.inRaw', '+', row.ref('excluded.inRaw')),
          outRaw: row('ledgerCoins.outRaw', '+', row.ref('excluded.outRaw')),
          isKnown: sql<boolean>`ledger_coins.is_known or excluded.is_known`,
        })),
      )
      .execute();
  }
}
