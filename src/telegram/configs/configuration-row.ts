import { sql } from 'kysely';
import type { Selectable } from 'kysely';

import type { ConfigurationRules } from '../notify/rules/delivery-plan.ts';
import type { TelegramTables } from '../tables.ts';

/** What one group tracks and how. */
export interface Configuration extends ConfigurationRules {
  readonly id: string;
  readonly chatId: string;
  readonly trackedCollectionId: bigint;
  /** As the group admin entered it, in canonical form. */
  readonly collectionId: string;
  /** Untrusted. */
  readonly collectionName: string;
  readonly hexCollectionId: string | null;
  /** Minute of the day of the daily recap, in the chat's own time. */
  readonly recapMinute: number | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
}

export type ConfigurationRow = Selectable<TelegramTables['telegram_configurations']>;

export const configurationOf = (row: ConfigurationRow): Configuration => ({
  id: row.id,
  chatId: row.chat_id,
  trackedCollectionId: BigInt(row.tracked_collection_id),
  collectionId: row.collection_id,
  collectionName: row.collection_name,
  hexCollectionId: row.hex_collection_id,
  ...rulesOf(row),
  recapMinute: row.recap_minute,
  version: row.version,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
});

/** The columns that decide what a group gets, and when. */
export type RuleColumns = SupplyColumns &
  QuietColumns &
  Pick<
    ConfigurationRow,
    'track_mint' | 'track_sales' | 'track_listings' | 'track_bids' | 'min_price_mist' | 'listings_at_floor_only'
  >;

export const rulesOf = (row: RuleColumns): ConfigurationRules => ({
  ...supplyOf(row),
  trackMint: row.track_mint,
  trackSales: row.track_sales,
  trackListings: row.track_listings,
  trackBids: row.track_bids,
  minPriceMist: row.min_price_mist === null ? null : BigInt(row.min_price_mist),
  listingsAtFloorOnly: row.listings_at_floor_only,
  ...quietOf(row),
});

type SupplyColumns = Pick<ConfigurationRow, 'max_supply' | 'minted_count'>;

const supplyOf = (row: SupplyColumns): Pick<ConfigurationRules, 'maxSupply' | 'mintedCount'> => ({
  maxSupply: row.max_supply === null ? null : Number(row.max_supply),
  mintedCount: Number(row.minted_count),
});

type QuietColumns = Pick<ConfigurationRow, 'quiet_from_minute' | 'quiet_to_minute' | 'time_zone'>;

/** Quiet hours have both ends or neither. */
const quietOf = (row: QuietColumns): Pick<ConfigurationRules, 'quietHours' | 'timeZone'> => ({
  quietHours:
    row.quiet_from_minute === null || row.quiet_to_minute === null
      ? null
      : { fromMinute: row.quiet_from_minute, toMinute: row.quiet_to_minute },
  timeZone: row.time_zone,
});

/** Changes that people make to a configuration. */
export type ConfigurationChange = Partial<
  Pick<
    Configuration,
    | 'trackMint'
    | 'trackSales'
    | 'trackListings'
    | 'trackBids'
    | 'minPriceMist'
    | 'listingsAtFloorOnly'
    | 'quietHours'
    | 'timeZone'
    | 'recapMinute'
    | 'maxSupply'
    | 'mintedCount'
    | 'hexCollectionId'
    | 'trackedCollectionId'
  >
>;

export const columnsOf = (change: ConfigurationChange) => ({
  ...(change.trackMint !== undefined && { track_mint: change.trackMint }),
  ...(change.trackSales !== undefined && { track_sales: change.trackSales }),
  ...(change.trackListings !== undefined && { track_listings: change.trackListings }),
  ...(change.trackBids !== undefined && { track_bids: change.trackBids }),
  ...(change.minPriceMist !== undefined && { min_price_mist: change.minPriceMist }),
  ...(change.listingsAtFloorOnly !== undefined && { listings_at_floor_only: change.listingsAtFloorOnly }),
  ...(change.quietHours !== undefined && quietColumns(change.quietHours)),
  ...(change.timeZone !== undefined && { time_zone: change.timeZone }),
  // The first recap starts now.
  ...(change.recapMinute !== undefined && {
    recap_minute: change.recapMinute,
    recapped_until: sql<Date>`clock_timestamp()`,
  }),
  ...(change.maxSupply !== undefined && { max_supply: change.maxSupply }),
  ...(change.mintedCount !== undefined && { minted_count: change.mintedCount }),
  ...(change.hexCollectionId !== undefined && { hex_collection_id: change.hexCollectionId }),
  ...(change.trackedCollectionId !== undefined && { tracked_collection_id: change.trackedCollectionId }),
});

const quietColumns = (hours: Configuration['quietHours']) => ({
  quiet_from_minute: hours?.fromMinute ?? null,
  quiet_to_minute: hours?.toMinute ?? null,
});
