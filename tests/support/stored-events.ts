import { randomBytes } from 'node:crypto';

import type { Kysely } from 'kysely';
import type { ActivityTables } from '../../src/market/adapters/tables.ts';
import type { ActivityEvent } from '../../src/market/contract.ts';

/** The events as rows, as the pipeline stores them; answers them with their ids. */
export async function storeEvents(
  db: Kysely<ActivityTables>,
  events: readonly ActivityEvent[],
): Promise<ActivityEvent[]> {
  const stored: ActivityEvent[] = [];
  for (const event of events) {
    const key = randomBytes(8).toString('hex');
    const { id } = await db
      .insertInto('activity_events')
      .values({
        tracked_collection_id: event.trackedCollectionId.toString(),
        event_key: key,
        action_id: key,
        kind: event.kind,
        type: event.type,
        transaction_digest: event.transactionDigest,
        nft_object_id: event.nft?.objectId ?? null,
        nft_name: event.nft?.name ?? null,
        nft_image_url: event.nft?.imageUrl ?? null,
        price_mist: event.priceMist?.toString() ?? null,
        buyer: event.buyer,
        seller: event.seller,
        market_name: event.marketName,
        happened_at: event.happenedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    stored.push({ ...event, id: BigInt(id) });
  }
  return stored;
}
