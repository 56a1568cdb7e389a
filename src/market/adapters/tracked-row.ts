import type { Selectable } from 'kysely';

import type { TrackedCollection } from '../contract.ts';
import type { CollectionNow, ReadProgress } from '../activity-ports.ts';
import type { ActivityTables } from './tables.ts';

export type TrackedRow = Selectable<ActivityTables['tracked_collections']>;

export function toTracked(row: TrackedRow): TrackedCollection {
  const { failing_since: at, failure_reason: reason } = row;
  return {
    id: BigInt(row.id),
    marketId: row.market_id,
    slug: row.slug,
    name: row.name,
    imageUrl: row.image_url,
    isVerified: row.is_verified,
    floorMist: row.floor_mist === null ? null : BigInt(row.floor_mist),
    mintedCount: countOf(row.minted_count),
    ownerCount: countOf(row.owner_count),
    listedCount: countOf(row.listed_count),
    lastCheckedAt: row.last_checked_at,
    lastSucceededAt: row.last_succeeded_at,
    failingSince: at === null || reason === null ? null : { at, reason },
  };
}

export function toProgress(row: TrackedRow): ReadProgress {
  return {
    isSeeded: row.seeded_at !== null,
    knownFrom: row.known_from,
    cursorAt: row.cursor_at,
    isBehind: row.is_behind,
    pollCount: BigInt(row.poll_count),
  };
}

/** The columns that follow the marketplace. What it does not say this time stays as it was, except that a floor may end. */
export function columnsOfNow(now: CollectionNow | null, listedCount: number | null) {
  return {
    ...(listedCount === null ? {} : { listed_count: listedCount.toString() }),
    ...(now === null
      ? {}
      : {
          is_verified: now.isVerified,
          floor_mist: now.floorMist?.toString() ?? null,
          image_url: now.imageUrl,
          ...(now.name === null ? {} : { name: now.name }),
          ...(now.mintedCount === null ? {} : { minted_count: now.mintedCount.toString() }),
          ...(now.ownerCount === null ? {} : { owner_count: now.ownerCount.toString() }),
        }),
  };
}

function countOf(digits: string | null): number | null {
  return digits === null ? null : Number(digits);
}
