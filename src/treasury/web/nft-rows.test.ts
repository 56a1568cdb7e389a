import { describe, expect, it } from 'vitest';
import type { NftHolding } from '../contract.ts';
import { nftRows, whereHeld } from './nft-rows.ts';

const held = (collectionName: string, totalValueUsd: number | null, over: Partial<NftHolding> = {}): NftHolding => ({
  collectionId: collectionName,
  collectionName,
  count: 3,
  averagePriceSui: 1,
  totalValueUsd,
  totalValueSui: 3,
  bestBidSui: null,
  listedCount: 0,
  kioskCount: 0,
  floorAsOf: null,
  explorerUrl: 'https://explorer.example/object/0x1',
  state: 'live',
  ...over,
});

describe('Specification 2: NFT holdings table', () => {
  it('sorts by USD value, descending, collections without one last', () => {
    const names = nftRows([held('Low', 1), held('None', null), held('Top', 90)]).map((row) => row.collectionName);
    expect(names).toEqual(['Top', 'Low', 'None']);
  });

  it.each([
    [{ kioskCount: 0 }, '3 in the wallet'],
    [{ kioskCount: 3, listedCount: 1 }, '3 in kiosks, 1 listed'],
    [{ kioskCount: 2 }, '1 in the wallet, 2 in kiosks'],
  ])('says where %j are', (over, words) => expect(whereHeld(held('Rocks', 1, over))).toBe(words));
});
