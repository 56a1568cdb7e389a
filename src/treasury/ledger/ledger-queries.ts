import { type Kysely, sql } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { LedgerKind } from '../ledger-contract.ts';
import type { LateChange } from '../core/ledger-proof.ts';
import type { TreasuryKey } from './ledger-store.ts';

type Db = Kysely<Database>;
export type LedgerQueries = ReturnType<typeof createLedgerQueries>;

export interface LedgerFilter {
  readonly kind: LedgerKind | null;
  /** Canonical. */
  readonly coin: string | null;
  readonly isApart: boolean;
}

/** The place of an entry in the chain. */
export interface LedgerPlace {
  readonly checkpoint: bigint;
  readonly position: number;
}

/** When the first and the last entry happened; null: there is none. */
export type LedgerSpan = { readonly first: Date; readonly last: Date } | null;

/** What is asked of the ledger. Throws what the database throws. */
export function createLedgerQueries(db: Db, of: TreasuryKey) {
  const entries = (filter: LedgerFilter) => entriesOf(db, of, filter);
  return {
    count: async (filter: LedgerFilter): Promise<number> => {
      const row = await entries(filter)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    /** Newest first. */
    page: (filter: LedgerFilter, { offset, limit }: { readonly offset: number; readonly limit: number }) =>
      newestFirst(entries(filter).selectAll()).offset(offset).limit(limit).execute(),
    /** Newest first, those before a place; null: from the newest. */
    before: (filter: LedgerFilter, place: LedgerPlace | null, limit: number) =>
      newestFirst(entries(filter).selectAll())
        .$if(place !== null, (query) =>
          query.where(
            sql<boolean>`(checkpoint, position) < (${String(place?.checkpoint ?? 0n)}::bigint, ${place?.position ?? 0}::int)`,
          ),
        )
        .limit(limit)
        .execute(),
    changesOf: (digests: readonly string[]) =>
      db
        .selectFrom('ledgerChanges')
        .where((row) => row.and({ ...of }))
        .where('digest', '=', anyOf(digests, 'text'))
        .orderBy('coinType')
        .selectAll()
        .execute(),
    nftsOf: (digests: readonly string[]) =>
      db
        .selectFrom('ledgerNfts')
        .where((row) => row.and({ ...of }))
        .where('digest', '=', anyOf(digests, 'text'))
        .orderBy('objectId')
        .selectAll()
        .execute(),
    /** Oldest first: what moved NFTs, and what a kiosk paid out. */
    trades: () =>
      entries({ kind: null, coin: null, isApart: false })
        .where((row) => row.or([row('nftCount', '>', 0), row('kind', '=', 'nft-sale')]))
        .orderBy('checkpoint')
        .orderBy('position')
        .select(['digest', 'happenedAt', 'kind', 'gasMist'])
        .execute(),
    /** Of a later checkpoint. */
    changesAfter: async (checkpoint: bigint): Promise<readonly LateChange[]> => {
      const rows = await db
        .selectFrom('ledgerChanges')
        .where((row) => row.and({ ...of }))
        .where('checkpoint', '>', String(checkpoint))
        .select(['coinType', 'raw', 'checkpoint'])
        .execute();
      return rows.map(({ coinType, raw, checkpoint: at }) => ({
        coinType,
        raw: BigInt(raw),
        checkpoint: BigInt(at),
      }));
    },
    span: () => spanOf(db, of),
    /** Pieces that lie with a marketplace. */
    escrowed: () => escrowedOf(db, of),
  };
}

async function escrowedOf(db: Db, of: TreasuryKey): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ledgerNfts')
    .where((each) => each.and({ ...of }))
    .distinctOn('objectId')
    .orderBy('objectId')
    .orderBy('checkpoint', 'desc')
    .orderBy('position', 'desc')
    .select(['objectId', 'direction'])
    .execute();
  return rows.flatMap(({ objectId, direction }) => (direction === 'into-escrow' ? [objectId] : []));
}

async function spanOf(db: Db, of: TreasuryKey): Promise<LedgerSpan> {
  const row = await db
    .selectFrom('ledgerEntries')
    .where((each) => each.and({ ...of }))
    .select(({ fn }) => [fn.min('happenedAt').as('first'), fn.max('happenedAt').as('last')])
    .executeTakeFirst();
  return row === undefined || row.first === null || row.last === null ? null : { first: row.first, last: row.last };
}

const entriesOf = (db: Db, of: TreasuryKey, { kind, coin, isApart }: LedgerFilter) =>
  db
    .selectFrom('ledgerEntries')
    .where((row) => row.and({ ...of, isApart }))
    .$if(kind !== null, (query) => query.where('kind', '=', kind ?? 'other'))
    .$if(coin !== null, (query) =>
      query.where('digest', 'in', (inner) =>
        inner
          .selectFrom('ledgerChanges')
          .where((row) => row.and({ ...of, coinType: coin ?? '' }))
          .select('digest'),
      ),
    );

const newestFirst = <Query extends { orderBy(column: 'checkpoint' | 'position', direction: 'desc'): Query }>(
  query: Query,
): Query => query.orderBy('checkpoint', 'desc').orderBy('position', 'desc');
