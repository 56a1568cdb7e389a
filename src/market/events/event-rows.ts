import { type Selectable, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { EventDraft } from '../ports.ts';
import type { ActivityEvent, ActivityTransfer } from '../contract.ts';

export type EventRow = Selectable<Database['activityEvents']>;

/** What was stored: events, oldest first, and transfers, which are not reported. */
export interface StoredNews {
  readonly events: readonly ActivityEvent[];
  readonly transfers: readonly ActivityTransfer[];
}

export const toNews = (rows: readonly EventRow[]): StoredNews => ({
  events: toEvents(rows).sort(byTime),
  transfers: rows
    .filter(({ kind }) => kind === 'transfer')
    .map(({ id, seller, buyer }) => ({ id: BigInt(id), sender: seller, receiver: buyer })),
});

/** Without transfers, which are not reported. */
export const toEvents = (rows: readonly EventRow[]): ActivityEvent[] =>
  rows.flatMap((row) => (row.kind === 'transfer' ? [] : [toEvent(row, row.kind)]));

function toEvent(row: EventRow, kind: ActivityEvent['kind']): ActivityEvent {
  const { nftObjectId: objectId, nftName: name, nftImageUrl: imageUrl, nftRank, priceMist } = row;
  const { foreignCoinType: coinType, foreignRawAmount: rawAmount } = row;
  const { type, transactionDigest, buyer, seller, marketName, happenedAt } = row;
  const rank = nftRank === null ? null : Number(nftRank);
  return {
    kind,
    type,
    transactionDigest,
    buyer,
    seller,
    marketName,
    happenedAt,
    id: BigInt(row.id),
    trackedCollectionId: BigInt(row.trackedCollectionId),
    nft: objectId === null ? null : { objectId, name, imageUrl, rank },
    priceMist: priceMist === null ? null : BigInt(priceMist),
    foreignPrice: coinType === null || rawAmount === null ? null : { coinType, rawAmount },
  };
}

/** Stores what is not known yet and returns it. Ids follow the order of the drafts. */
export async function insertNewEvents(
  trx: Trx,
  collectionId: bigint,
  drafts: readonly EventDraft[],
): Promise<StoredNews> {
  if (drafts.length === 0) return { events: [], transfers: [] };
  // Most of what a poll reads is known; looked up first, it costs no id of the sequence.
  const keys = drafts.map(({ eventKey }) => eventKey);
  const known = await trx
    .selectFrom('activityEvents')
    .select('eventKey')
    .where('trackedCollectionId', '=', collectionId.toString())
    .where('eventKey', '=', sql<string>`any(${keys}::text[])`)
    .execute();
  const knownKeys = new Set(known.map(({ eventKey }) => eventKey));
  const rows = drafts.filter(({ eventKey }) => !knownKeys.has(eventKey)).map((draft) => toRow(collectionId, draft));
  const stored: EventRow[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnceMax) {
    const chunk = await trx
      .insertInto('activityEvents')
      .values(rows.slice(start, start + rowsAtOnceMax))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .execute();
    stored.push(...chunk);
  }
  return toNews(stored);
}

/** A statement takes 65,535 values. */
const rowsAtOnceMax = 2_000;

function toRow(trackedCollectionId: bigint, { nft, foreignPrice, ...facts }: EventDraft) {
  return {
    ...facts,
    trackedCollectionId,
    nftObjectId: nft?.objectId ?? null,
    nftName: nft?.name ?? null,
    nftImageUrl: nft?.imageUrl ?? null,
    nftRank: nft?.rank ?? null,
    foreignCoinType: foreignPrice?.coinType ?? null,
    foreignRawAmount: foreignPrice?.rawAmount ?? null,
  };
}

/** By the marketplace's clock; at the same moment, in the order in which they became known. */
function byTime(one: ActivityEvent, other: ActivityEvent): number {
  const byClock = one.happenedAt.getTime() - other.happenedAt.getTime();
  return byClock === 0 ? Number(one.id - other.id) : byClock;
}
