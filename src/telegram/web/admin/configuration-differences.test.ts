import { describe, expect, test } from 'vitest';
import type { TelegramConfiguration } from './telegram-calls.ts';
import { differencesOf } from './configuration-view.ts';

const saved = {
  version: 4,
  collectionName: 'Sui Rocks',
  collectionId: '0x1',
  hexCollectionId: null,
  maxSupply: 555,
  trackMint: true,
  trackSales: true,
  trackListings: false,
  trackBids: false,
  mintStats: { mintedCount: 480 },
} as TelegramConfiguration;

describe('rulings R6: a stale save', () => {
  test('shows each field that differs, with both values', () => {
    const now = { ...saved, hexCollectionId: '0xab', maxSupply: null, trackBids: true };
    expect(differencesOf(saved, now)).toEqual([
      { field: 'Hex ID', before: 'none', now: '0xab' },
      { field: 'Max supply', before: '555', now: 'none' },
      { field: 'Tracking', before: 'Mints, Sales', now: 'Mints, Sales, Bids' },
    ]);
  });
});
