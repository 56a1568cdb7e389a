import { expect, test } from 'vitest';

import type { Configuration } from './configuration-row.ts';
import { changedFields } from './configuration-fields.ts';

const before: Configuration = {
  id: '1',
  chatId: '-100',
  trackedCollectionId: 1n,
  collectionId: '0xa::rocks::Nft',
  collectionName: 'Sui Rocks',
  hexCollectionId: null,
  maxSupply: 555,
  mintedCount: 410,
  trackMint: true,
  trackSales: true,
  trackListings: true,
  trackBids: true,
  minPriceMist: null,
  listingsAtFloorOnly: false,
  quietHours: null,
  timeZone: 'Etc/GMT-2',
  recapMinute: null,
  version: 1,
  createdAt: new Date(0),
  deletedAt: null,
};

test('rulings R6: the log tells a change of the options as a person reads it: SUI and times of the day', () => {
  const after: Configuration = {
    ...before,
    minPriceMist: 10_500_000_000n,
    quietHours: { fromMinute: 1320, toMinute: 420 },
    recapMinute: 540,
  };
  expect(changedFields(before, after)).toEqual({
    before: { minPriceSui: null, quietHours: null, recap: null },
    after: { minPriceSui: '10.5', quietHours: '22:00–07:00 UTC+2', recap: '09:00 UTC+2' },
  });
});
