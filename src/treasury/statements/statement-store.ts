import type { Kysely, Selectable } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Statement } from '../core/statement-check.ts';
import type { LedgerQueries, TimeSpan } from '../ledger/ledger-queries.ts';
import { isSameTransaction } from '../ledger/ledger-store.ts';
import type { TreasuryKey } from '../treasury-store.ts';
import type { StatementSummary } from '../ledger-contract.ts';

type Db = Kysely<Database>;
export type StatementStore = ReturnType<typeof createStatementStore>;

interface MadeStatement extends StatementSummary {
  /** The canonical JSON. */
  readonly body: string;
}

/** Statements, and the parts of the ledger that they are made of. Throws what the database throws. */
export const createStatementStore = (db: Db, treasuryKey: TreasuryKey) => ({
  ...storedStatements(db, treasuryKey),
  ...storedChanges(db, treasuryKey),
});

type Entry = Awaited<ReturnType<LedgerQueries['withMoves']>>[number] & {
  readonly row: Selectable<Database['ledgerEntries']>;
};

export const statementEntry = ({ row, changes, nfts }: Entry): Statement['entries'][number] => ({
  digest: row.digest,
  at: row.happenedAt.toISOString(),
  checkpoint: row.checkpoint,
  kind: row.kind,
  counterparty: row.counterparty,
  gasMist: row.gasMist,
  changes: changes.map(({ coinType, raw, pricePicoUsd, priceAt, priceSource }) => ({
    coinType,
    raw: String(raw),
    pricePicoUsd: pricePicoUsd?.toString() ?? null,
    priceAt: priceAt?.toISOString() ?? null,
    priceSource,
  })),
  nfts: nfts.map(({ objectId, collectionType, direction }) => ({ objectId, collectionType, direction })),
});

const storedStatements = (db: Db, treasuryKey: TreasuryKey) => {
  const statements = () =>
    db
      .selectFrom('treasuryStatements')
      .where((row) => row.and({ ...treasuryKey }))
      .orderBy('month', 'desc');
  return {
    /** Newest first. */
    all: async (): Promise<readonly StatementSummary[]> => {
      const rows = await statements()
        .select(['month', 'sha256', 'entryCount', 'closingMicroUsd', 'unpricedCoins'])
        .execute();
      return rows.map(({ entryCount: entries, closingMicroUsd, ...row }) => ({
        ...row,
        entries,
        closingMicroUsd: String(closingMicroUsd),
      }));
    },
    /** The newest one, without its body, which may be long; undefined: there is none. */
    last: () => statements().select(['month', 'sha256']).limit(1).executeTakeFirst(),
    /** The published bytes; undefined: there is no such statement. */
    body: async (month: string): Promise<string | undefined> =>
      (await statements().where('month', '=', month).select('body').executeTakeFirst())?.body,
    /** A statement that already exists stays unchanged. */
    save: async ({ entries: entryCount, ...made }: MadeStatement): Promise<void> => {
      await db
        .insertInto('treasuryStatements')
        .values({ ...treasuryKey, ...made, entryCount })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
};

const storedChanges = (db: Db, treasuryKey: TreasuryKey) => {
  const changes = () =>
    db
      .selectFrom('ledgerChanges as change')
      .where('change.network', '=', treasuryKey.network)
      .where('change.treasuryAddress', '=', treasuryKey.treasuryAddress);
  return {
    /**
     * By coin: all that came before the month, for coins that no statement has yet, and the unsolicited amounts of the month alone. What is
     * a movement now may have been unsolicited when the statement of its month was made.
     */
    unsolicitedSums: async (coinTypes: readonly string[], { from, until }: TimeSpan) => {
      const rows = await changes()
        .innerJoin('ledgerEntries as entry', (join) => join.on(isSameTransaction('entry', 'change')))
        .where('change.coinType', '=', anyOf(coinTypes, 'text'))
        .where('change.happenedAt', '<', until)
        .where((row) => row.or([row('entry.isApart', '=', true), row('change.happenedAt', '<', from)]))
        .groupBy('change.coinType')
        .select(({ fn }) => [
          'change.coinType',
          fn.sum<bigint | null>('change.raw').as('ever'),
          fn.sum<bigint | null>('change.raw').filterWhere('change.happenedAt', '>=', from).as('ofMonth'),
        ])
        .execute();
      return new Map(
        rows.map(({ coinType, ever, ofMonth }) => [coinType, { everRaw: ever ?? 0n, ofMonthRaw: ofMonth ?? 0n }]),
      );
    },
    /** Whether a price was requested for every movement of a known coin before that moment. */
    isPricedUntil: async (until: Date): Promise<boolean> => {
      const waiting = await changes()
        .innerJoin('ledgerCoins as coin', (join) =>
          join
            .onRef('coin.network', '=', 'change.network')
            .onRef('coin.treasuryAddress', '=', 'change.treasuryAddress')
            .onRef('coin.coinType', '=', 'change.coinType'),
        )
        .where('change.isPriced', '=', false)
        .where('change.happenedAt', '<', until)
        .where('coin.isKnown', '=', true)
        .select((row) => row.lit(1).as('one'))
        .limit(1)
        .executeTakeFirst();
      return waiting === undefined;
    },
  };
};
