import { expect, test } from 'vitest';

import { sourceReadings, type TreasuryReading } from './reading.ts';

const chainReadAt = new Date('2026-11-22T14:10:00Z');
const earlier = new Date('2026-11-22T13:40:00Z');
const reading = (pricesReadAt: readonly Date[], balances = 1): TreasuryReading => ({
  balances: Array.from({ length: balances }, () => ({ coinType: '0x2::sui::SUI', rawBalance: 1n })),
  checkpoint: null,
  holdings: [],
  chainReadAt,
  holdingsReadAt: chainReadAt,
  metadata: new Map(),
  prices: new Map(
    pricesReadAt.map((readAt, index) => [
      `coin ${index}`,
      { readAt, quote: { pricePicoUsd: 1n, confidence: 1, asOf: readAt, source: 'x' } },
    ]),
  ),
  market: null,
  jump: null,
});
const chain = { source: 'chain', readAt: chainReadAt };

test.each([
  ['before the first reading nothing is known', null, [{ source: 'chain', readAt: null }]],
  ['prices that came with the reading are no news', reading([new Date(chainReadAt.getTime() + 900)]), [chain]],
  ['one coin that got no price is not the service', reading([earlier, chainReadAt]), [chain]],
  ['prices that had to be carried over', reading([earlier]), [chain, { source: 'prices', readAt: earlier }]],
  ['prices that never came', reading([]), [chain, { source: 'prices', readAt: null }]],
  ['an empty wallet needs no price', reading([], 0), [chain]],
])('%s', (_name, given, expected) => {
  expect(sourceReadings(given)).toEqual(expected);
});
