import { randomBytes } from 'node:crypto';

import type { Kysely } from 'kysely';

import type { Database } from '../../src/db/schema.ts';
import type { ActivityEvent } from '../../src/market/contract.ts';

/** Stores the events as the pipeline does; returns them with their ids. */
export async function storeEvents(db: Kysely<Database>, events: readonly ActivityEvent[]): Promise<ActivityEvent[]> {
  const stored: ActivityEvent[] = [];
  for (const event of events) {
    const key = randomBytes(8).toString('hex');
    const { kind, type, transactionDigest, priceMist, buyer, seller, marketName, happenedAt, nft } = event;
    const { id } = await db
      .insertInto('activityEvents')
      .values({
        kind,
        type,
        transactionDigest,
        priceMist,
        buyer,
        seller,
        marketName,
        happenedAt,
        trackedCollectionId: event.trackedCollectionId,
        eventKey: key,
        actionId: key,
        nftObjectId: nft?.objectId ?? null,
        nftName: nft?.name ?? null,
        nftImageUrl: nft?.imageUrl ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    stored.push({ ...event, id: BigInt(id) });
  }
  return stored;
}
