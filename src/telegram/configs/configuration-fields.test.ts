import { describe, expect, test } from 'vitest';

import { newSettings } from '../../../tests/support/activity-events.ts';
import { changedFields, changesNothing } from './configuration-fields.ts';
import type { Configuration, ConfigurationChange } from './configuration-store.ts';

const present: Configuration = {
  id: '1',
  chatId: '-1001',
  trackedCollectionId: 7n,
  collectionId: '0x2::rock::Rock',
  collectionName: 'Sui Rocks',
  hexCollectionId: null,
  maxSupply: 555,
  mintedCount: 10,
  ...newSettings,
  recappedUntil: new Date(0),
  followedSince: new Date(0),
  version: 1,
  createdAt: new Date(0),
  createdBy: '5',
  updatedAt: new Date(0),
  deletedAt: null,
  deletedBy: null,
};

/** The values that buttons and calls set, for every option. */
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
  test.each(pairs)('$name: changes nothing only if that value is already set', ({ from, to, isSame }) => {
    expect(changesNothing({ ...present, ...from }, to)).toBe(isSame);
  });
});

test('rulings R6: the log shows changed options as a person reads them, in SUI and times of day', () => {
  const before: Configuration = { ...present, timeZone: 'Etc/GMT-2' };
  const after: Configuration = {
    ...before,
    minPriceMist: 10_500_000_000n,
    quietHours: { fromMinute: 1320, toMinute: 420 },
    recapMinute: 540,
  };
  expect(changedFields(before, after)).toEqual({
    before: { 'Minimum price': null, 'Quiet hours': null, 'Daily recap': null },
    after: { 'Minimum price': '10.5 SUI', 'Quiet hours': '22:00 to 07:00', 'Daily recap': 'at 09:00' },
  });
  expect(changedFields(present, before).after).toEqual({ 'Time zone': 'UTC+2' });
});
