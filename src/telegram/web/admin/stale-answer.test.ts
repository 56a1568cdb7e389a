import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../web/api-client.ts';
import type { TelegramConfiguration } from '../../contract.ts';
import { differencesOf, staleConfiguration } from './stale-answer.ts';

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

const refusal = (status: number, body: string): ApiError => new ApiError(status, 'Conflict', body);

describe('rulings R6: a stale save', () => {
  test('is told by a 409 that carries what is saved now', () => {
    const body = JSON.stringify({ message: 'm', code: 'stale', current: saved, yours: {} });
    expect(staleConfiguration(refusal(409, body))).toEqual(saved);
  });

  test.each([
    ['a 409 for another reason', refusal(409, '{"message":"m","code":"chat-taken"}')],
    ['another status', refusal(400, JSON.stringify({ code: 'stale', current: saved }))],
    ['a body that is no JSON', refusal(409, '<html>')],
    ['a 409 without the present version', refusal(409, '{"code":"stale"}')],
    ['no answer at all', new TypeError('Failed to fetch')],
  ])('is not %s', (_, error) => {
    expect(staleConfiguration(error)).toBeNull();
  });

  test('shows each field that differs, with both values', () => {
    const now = { ...saved, hexCollectionId: '0xab', maxSupply: null, trackBids: true };
    expect(differencesOf(saved, now)).toEqual([
      { field: 'Hex ID', before: 'none', now: '0xab' },
      { field: 'Max supply', before: '555', now: 'none' },
      { field: 'Tracking', before: 'Mints, Sales', now: 'Mints, Sales, Bids' },
    ]);
  });
});
