import type { Kysely, Selectable } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { stakedSuiType } from '../../shared/sui-address.ts';
import { isTransfer } from '../core/ledger-rules.ts';
import type { LedgerKind } from '../core/ledger-words.ts';
import type { LateChange } from '../core/ledger-proof.ts';
import { isOfCollection } from '../core/nft-moves.ts';
import type { TreasuryKey } from '../treasury-store.ts';
import { isSameTransaction } from './ledger-store.ts';

type Db = Kysely<Database>;
export type LedgerQueries = ReturnType<typeof createLedgerQueries>;

export interface LedgerFilter {
  readonly kind?: LedgerKind | undefined;
  readonly coin?: string | undefined;
  readonly isApart: boolean;
  readonly during?: TimeSpan;
  /** Transactions of published payouts: their kind is `payout`, whatever kind is stored. */
  readonly payoutDigests?: readonly string[];
}

/** From the first moment up to the last, which is excluded. */
export interface TimeSpan {
  readonly from: Date;
  readonly until: Date;
}

/** When the first and the last entry happened; null: there is none. */
export type LedgerSpan = { readonly first: Date; readonly last: Date } | null;

/** Queries on the ledger. Throws what the database throws. */
export const createLedgerQueries = (db: Db, treasuryKey: TreasuryKey) => ({
  ...entryQueries(db, treasuryKey),
  ...checkpointQueries(db, treasuryKey),
  ...nftQueries(db, treasuryKey),
});

const entryQueries = (db: Db, treasuryKey: TreasuryKey) => {
  const entries = (filter: LedgerFilter) => entriesOf(db, treasuryKey, filter);
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
    /** Newest first, only those before `entry`; undefined: from the newest. */
    before: (filter: LedgerFilter, entry: Selectable<Database['ledgerEntries']> | undefined, limit: number) => {
      const query = newestFirst(entries(filter).selectAll()).limit(limit);
      if (entry === undefined) return query.execute();
      const { checkpoint, position } = entry;
      return query
        .where((row) => row(row.refTuple('checkpoint', 'position'), '<', row.tuple(checkpoint, position)))
        .execute();
    },
    /** Oldest first. */
    during: (span: TimeSpan) => oldestFirst(entries({ isApart: false, during: span }).selectAll()).execute(),
    /** Oldest first: entries that moved NFTs or took money out of a kiosk. */
    trades: () =>
      oldestFirst(entries({ isApart: false }).select(['digest', 'happenedAt', 'kind', 'gasMist']))
        .where((row) => row.or([row('nftCount', '>', 0), row('kind', '=', 'nft-sale')]))
        .execute(),
    /** The same entries, each with what moved in it. */
    withMoves: async <Entry extends { readonly digest: string }>(rows: readonly Entry[]) => {
      const digests = rows.map(({ digest }) => digest);
      const [changes, nfts] = await Promise.all([
        db
          .selectFrom('ledgerChanges')
          .where((row) => row.and({ ...treasuryKey }))
          .where('digest', '=', anyOf(digests, 'text'))
          .orderBy('coinType')
          .selectAll()
          .execute(),
        db
          .selectFrom('ledgerNfts')
          .where((row) => row.and({ ...treasuryKey }))
          .where('digest', '=', anyOf(digests, 'text'))
          .orderBy('objectId')
          .selectAll()
          .execute(),
      ]);
      const changesOf = Map.groupBy(changes, ({ digest }) => digest);
      const nftsOf = Map.groupBy(nfts, ({ digest }) => digest);
      return rows.map((row) => ({
        row,
        changes: changesOf.get(row.digest) ?? [],
        nfts: nftsOf.get(row.digest) ?? [],
      }));
    },
  };
};

const checkpointQueries = (db: Db, treasuryKey: TreasuryKey) => {
  const entries = () => db.selectFrom('ledgerEntries').where((row) => row.and({ ...treasuryKey }));
  return {
    /** Changes in later checkpoints. */
    changesAfter: async (checkpoint: bigint): Promise<readonly LateChange[]> => {
      const rows = await db
        .selectFrom('ledgerChanges')
        .where((row) => row.and({ ...treasuryKey }))
        .where('checkpoint', '>', String(checkpoint))
        .select(['coinType', 'raw', 'checkpoint'])
        .execute();
      return rows.map((row) => ({ ...row, checkpoint: BigInt(row.checkpoint) }));
    },
    sentSince: (checkpoint: bigint, coinTypes: readonly string[]) => sentSince(db, treasuryKey, checkpoint, coinTypes),
    span: async (): Promise<LedgerSpan> => {
      const { first, last } = await entries()
        .select(({ fn }) => [fn.min('happenedAt').as('first'), fn.max('happenedAt').as('last')])
        .executeTakeFirstOrThrow();
      return first === null || last === null ? null : { first, last };
    },
    /** When the first entry from that checkpoint on happened; null: there is none. */
    firstFrom: async (checkpoint: bigint): Promise<Date | null> => {
      const later = entries().where('checkpoint', '>=', String(checkpoint)).orderBy('checkpoint').limit(1);
      return (await later.select('happenedAt').executeTakeFirst())?.happenedAt ?? null;
    },
    /** When the last entry before that checkpoint happened; null: there is none. */
    lastBefore: async (checkpoint: bigint): Promise<Date | null> => {
      const earlier = entries().where('checkpoint', '<', String(checkpoint)).orderBy('checkpoint', 'desc').limit(1);
      return (await earlier.select('happenedAt').executeTakeFirst())?.happenedAt ?? null;
    },
  };
};

const nftQueries = (db: Db, treasuryKey: TreasuryKey) => {
  const nfts = () => db.selectFrom('ledgerNfts').where((row) => row.and({ ...treasuryKey }));
  const moved = () =>
    db
      .selectFrom('ledgerEntries as entry')
      .innerJoin('ledgerNfts as nft', (join) => join.on(isSameTransaction('nft', 'entry')))
      .where('entry.network', '=', treasuryKey.network)
      .where('entry.treasuryAddress', '=', treasuryKey.treasuryAddress)
      .where('entry.isApart', '=', false);
  return {
    /** NFT moves after `since` from or to others, or to a marketplace and back (not counted there, decision 0006), without duplicates. */
    nftTransfersSince: (since: Date) =>
      moved()
        .where((row) =>
          row.or([
            row('entry.kind', 'in', ['transfer-in', 'transfer-out']),
            row('nft.direction', 'in', ['into-escrow', 'out-of-escrow']),
            row('nft.collectionType', '=', stakedSuiType),
          ]),
        )
        .where('entry.happenedAt', '>', since)
        .select(['entry.happenedAt as at', 'nft.direction', 'nft.collectionType'])
        .distinct()
        .execute(),
    /** When staked SUI first moved as an object: from then on, no transaction gives the staked amount. null: it never did. */
    stakeUnknownSince: async (): Promise<Date | null> => {
      const ofStake = moved().where('nft.collectionType', '=', stakedSuiType);
      return (await ofStake.select(({ fn }) => fn.min('entry.happenedAt').as('first')).executeTakeFirstOrThrow()).first;
    },
    /** NFTs that a marketplace holds. */
    escrowed: async (): Promise<readonly string[]> => {
      const rows = await nfts()
        .distinctOn('objectId')
        .orderBy('objectId')
        .orderBy('checkpoint', 'desc')
        .orderBy('position', 'desc')
        .select(['objectId', 'direction'])
        .execute();
      return rows.flatMap(({ objectId, direction }) => (direction === 'into-escrow' ? [objectId] : []));
    },
    /** Collections of which the treasury itself bought or sold an NFT. */
    tradedCollections: async (): Promise<readonly string[]> => {
      const rows = await nfts()
        .where('digest', 'in', (inner) =>
          inner
            .selectFrom('ledgerEntries')
            .where((each) => each.and({ ...treasuryKey, sender: treasuryKey.treasuryAddress }))
            .where('kind', 'in', ['nft-purchase', 'nft-sale'])
            .select('digest'),
        )
        .select('collectionType')
        .distinct()
        .execute();
      return rows.filter(isOfCollection).map(({ collectionType }) => collectionType);
    },
  };
};

/**
 * What was sent in later checkpoints, in the order of the chain: one row for each coin of a transaction. `isTransfer` false: the payments
 * are only part of the transaction.
 */
async function sentSince(db: Db, treasuryKey: TreasuryKey, checkpoint: bigint, coinTypes: readonly string[]) {
  const rows = await db
    .selectFrom('ledgerRecipients as r')
    .innerJoin('ledgerEntries as e', (join) => join.on(isSameTransaction('e', 'r')))
    .where('r.network', '=', treasuryKey.network)
    .where('r.treasuryAddress', '=', treasuryKey.treasuryAddress)
    .where('r.coinType', '=', anyOf(coinTypes, 'text'))
    .where('r.checkpoint', '>', String(checkpoint))
    .orderBy('r.checkpoint')
    .orderBy('r.position')
    .orderBy('r.address')
    .selectAll('r')
    .select('e.kind')
    .execute();
  return [...Map.groupBy(rows, ({ digest, coinType }) => `${digest} ${coinType}`).values()].flatMap((sent) => {
    const [first] = sent;
    if (first === undefined) return [];
    const { digest, coinType, happenedAt: at, kind } = first;
    const to = sent.map(({ address, raw }) => ({ address, raw }));
    return [{ digest, checkpoint: BigInt(first.checkpoint), at, coinType, isTransfer: isTransfer(kind), to }];
  });
}

function entriesOf(db: Db, treasuryKey: TreasuryKey, filter: LedgerFilter) {
  const { kind, coin, isApart, during, payoutDigests = [] } = filter;
  let query = db.selectFrom('ledgerEntries').where((row) => row.and({ ...treasuryKey, isApart }));
  if (during !== undefined) {
    query = query.where('happenedAt', '>=', during.from).where('happenedAt', '<', during.until);
  }
  if (kind !== undefined) {
    query = query.where((row) => {
      const isOfKind = row('kind', '=', kind);
      if (payoutDigests.length === 0) return isOfKind;
      const isOfPayout = row('digest', '=', anyOf(payoutDigests, 'text'));
      return kind === 'payout' ? row.or([isOfKind, isOfPayout]) : row.and([isOfKind, row.not(isOfPayout)]);
    });
  }
  if (coin === undefined) return query;
  return query.where('digest', 'in', (inner) =>
    inner
      .selectFrom('ledgerChanges')
      .where((row) => row.and({ ...treasuryKey, coinType: coin }))
      .select('digest'),
  );
}

interface Ordered<Query> {
  orderBy(column: 'checkpoint' | 'position', direction?: 'desc'): Query;
}

const oldestFirst = <Query extends Ordered<Query>>(query: Query): Query =>
  query.orderBy('checkpoint').orderBy('position');
const newestFirst = <Query extends Ordered<Query>>(query: Query): Query =>
  query.orderBy('checkpoint', 'desc').orderBy('position', 'desc');
