import { describe, expect, test } from 'vitest';

import { changesNothing } from './configuration-fields.ts';
import { type Configuration, type ConfigurationChange, configurationOf } from './configuration-row.ts';

const present: Configuration = configurationOf({
  id: '1',
  chat_id: '-1001',
  tracked_collection_id: '7',
  collection_id: '0x2::rock::Rock',
  collection_name: 'Sui Rocks',
  hex_collection_id: null,
  max_supply: '555',
  minted_count: '10',
  track_mint: true,
  track_sales: true,
  track_listings: true,
  track_bids: true,
  min_price_mist: null,
  listings_at_floor_only: false,
  quiet_from_minute: null,
  quiet_to_minute: null,
  time_zone: 'UTC',
  recap_minute: null,
  recapped_until: new Date(0),
  followed_since: new Date(0),
  version: 1,
  created_at: new Date(0),
  created_by: '5',
  updated_at: new Date(0),
  deleted_at: null,
  deleted_by: null,
});

/** Every value that a button or a call sets, of every option. */
const values: readonly (readonly [name: string, changes: readonly ConfigurationChange[]])[] = [
  ['mints', [{ trackMint: true }, { trackMint: false }]],
  ['sales', [{ trackSales: true }, { trackSales: false }]],
  ['listings', [{ trackListings: true }, { trackListings: false }]],
  ['bids', [{ trackBids: true }, { trackBids: false }]],
  ['floor only', [{ listingsAtFloorOnly: true }, { listingsAtFloorOnly: false }]],
  ['minimum price', [{ minPriceMist: null }, { minPriceMist: 0n }, { minPriceMist: 1_000_000_000n }]],
  [
    'quiet hours',
    [
      { quietHours: null },
      { quietHours: { fromMinute: 0, toMinute: 480 } },
      { quietHours: { fromMinute: 1320, toMinute: 480 } },
      { quietHours: { fromMinute: 1320, toMinute: 420 } },
    ],
  ],
  ['time zone', [{ timeZone: 'UTC' }, { timeZone: 'Europe/Berlin' }, { timeZone: 'Asia/Kathmandu' }]],
  ['daily recap', [{ recapMinute: null }, { recapMinute: 0 }, { recapMinute: 540 }]],
  ['minted', [{ mintedCount: 0 }, { mintedCount: 10 }]],
  ['hex id', [{ hexCollectionId: null }, { hexCollectionId: '0x3::bat::Bat' }]],
];
const pairs = values.flatMap(([name, changes]) =>
  changes.flatMap((from, fromIndex) =>
    changes.map((to, toIndex) => ({ name: `${name}, ${fromIndex} to ${toIndex}`, from, to, isSame: from === to })),
  ),
);

describe('a change of a configuration', () => {
  test.each(pairs)('$name: changes nothing only when it is so already', ({ from, to, isSame }) => {
    expect(changesNothing({ ...present, ...from }, to)).toBe(isSame);
  });
});
