import { expect, test } from 'vitest';

import { createManualClock } from '../../../tests/support/manual-clock.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { createMarketCollections } from '../look-up-collection.ts';
import { createWalletReader } from './ownership.ts';

const hourMs = 3_600_000;
const query = { nftType: '0x1::rock::Rock', wallet: '0x2' };

test("an empty wallet's answer from before the clock was set back is read again and proves nothing", async () => {
  const clock = createManualClock();
  let reads = 0;
  const reader = createWalletReader(() => {
    reads += 1;
    return Promise.resolve({ kind: 'does-not-hold', kioskCount: 0, asOf: clock.now() });
  }, clock);
  await reader.read(query);
  await reader.read(query);
  expect([reads, reader.wasEmpty(query)]).toEqual([1, true]);
  clock.advance(-hourMs);
  expect(reader.wasEmpty(query)).toBe(false);
  await reader.read(query);
  expect([reads, reader.wasEmpty(query)]).toEqual([2, true]);
});

test("the marketplace's answer from before the clock was set back is read again", async () => {
  const clock = createManualClock();
  let asked = 0;
  const market = (() => {
    asked += 1;
    return Promise.resolve({ collections: [] });
  }) as unknown as MarketCall;
  const collectionsOf = createMarketCollections(market, clock);
  await collectionsOf(query.nftType);
  await collectionsOf(query.nftType);
  expect(asked).toBe(1);
  clock.advance(-hourMs);
  await collectionsOf(query.nftType);
  expect(asked).toBe(2);
});
