import { type Kysely, type Selectable, sql } from 'kysely';

import type { ActivityEvent, ActivityTransfer } from '../contract.ts';
import type { EventDraft } from '../activity-ports.ts';
import type { ActivityTables } from './tables.ts';

export type EventRow = Selectable<ActivityTables['activity_events']>;

/** What was stored: events, oldest first, and what is told to nobody. */
export interface StoredNews {
  readonly events: readonly ActivityEvent[];
  readonly transfers: readonly ActivityTransfer[];
}

export function toNews(rows: readonly EventRow[]): StoredNews {
  return { events: toEvents(rows).sort(byTime), transfers: rows.filter(isTransfer).map(toTransfer) };
}

const isTransfer = ({ kind }: EventRow): boolean => kind === 'transfer';

const toTransfer = (row: EventRow): ActivityTransfer => ({
  id: BigInt(row.id),
  sender: row.seller,
  receiver: row.buyer,
});

/** Transfers are left out: they are no events that anybody is told of. */
export function toEvents(rows: readonly EventRow[]): ActivityEvent[] {
  return rows.flatMap((row) => (row.kind === 'transfer' ? [] : [toEvent(row, row.kind)]));
}

function toEvent(row: EventRow, kind: ActivityEvent['kind']): ActivityEvent {
  const { nft_object_id: objectId, foreign_coin_type: coinType, foreign_raw_amount: rawAmount } = row;
  const rank = row.nft_rank === null ? null : Number(row.nft_rank);
  return {
    id: BigInt(row.id),
    trackedCollectionId: BigInt(row.tracked_collection_id),
    kind,
    type: row.type,
    transactionDigest: row.transaction_digest,
    nft: objectId === null ? null : { objectId, name: row.nft_name, imageUrl: row.nft_image_url, rank },
    priceMist: row.price_mist === null ? null : BigInt(row.price_mist),
    foreignPrice: coinType === null || rawAmount === null ? null : { coinType, rawAmount },
    buyer: row.buyer,
    seller: row.seller,
    marketName: row.market_name,
    happenedAt: row.happened_at,
  };
}

/** Stores what is not known yet and answers that. The draft order is that of the ids. */
export async function insertNewEvents(
  db: Kysely<ActivityTables>,
  trackedCollectionId: bigint,
  drafts: readonly EventDraft[],
): Promise<StoredNews> {
  if (drafts.length === 0) return { events: [], transfers: [] };
  // Most of what a poll reads is known; looked up first, it costs no id of the sequence.
  const { rows } = await sql<EventRow>`
    insert into activity_events (
      tracked_collection_id, event_key, action_id, kind, type, transaction_digest, nft_object_id, nft_name,
      nft_image_url, nft_rank, price_mist, foreign_coin_type, foreign_raw_amount, buyer, seller, market_name, happened_at
    )
    select ${trackedCollectionId.toString()}::bigint, draft.event_key, draft.action_id, draft.kind, draft.type,
      draft.transaction_digest, draft.nft_object_id, draft.nft_name, draft.nft_image_url, draft.nft_rank,
      draft.price_mist, draft.foreign_coin_type, draft.foreign_raw_amount, draft.buyer, draft.seller,
      draft.market_name, draft.happened_at
    from jsonb_to_recordset(${JSON.stringify(drafts.map(toJson))}::jsonb) as draft(
      position int, event_key text, action_id text, kind text, type text, transaction_digest text, nft_object_id text,
      nft_name text, nft_image_url text, nft_rank bigint, price_mist numeric, foreign_coin_type text,
      foreign_raw_amount text, buyer text, seller text, market_name text, happened_at timestamptz
    )
    where not exists (
      select 1 from activity_events known
      where known.tracked_collection_id = ${trackedCollectionId.toString()} and known.event_key = draft.event_key
    )
    order by draft.position
    on conflict do nothing
    returning *`.execute(db);
  return toNews(rows);
}

function toJson(draft: EventDraft, position: number) {
  const { nft, foreignPrice } = draft;
  return {
    position,
    event_key: draft.eventKey,
    action_id: draft.actionId,
    kind: draft.kind,
    type: draft.type,
    transaction_digest: draft.transactionDigest,
    nft_object_id: nft?.objectId ?? null,
    nft_name: nft?.name ?? null,
    nft_image_url: nft?.imageUrl ?? null,
    nft_rank: nft?.rank ?? null,
    price_mist: draft.priceMist?.toString() ?? null,
    foreign_coin_type: foreignPrice?.coinType ?? null,
    foreign_raw_amount: foreignPrice?.rawAmount ?? null,
    buyer: draft.buyer,
    seller: draft.seller,
    market_name: draft.marketName,
    happened_at: draft.happenedAt.toISOString(),
  };
}

/** By the marketplace's clock; of one moment, in the order in which they became known. */
function byTime(one: ActivityEvent, other: ActivityEvent): number {
  const byClock = one.happenedAt.getTime() - other.happenedAt.getTime();
  return byClock === 0 ? Number(one.id - other.id) : byClock;
}
