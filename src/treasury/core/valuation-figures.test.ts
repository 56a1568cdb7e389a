import { describe, expect, test } from 'vitest';
import {
  ago,
  bats,
  coin,
  fact,
  held,
  market,
  minuteMs,
  now,
  quote,
  readingOf,
  rocks,
  settings,
  sui,
  usdc,
} from '../../../tests/support/treasury-reading.ts';
import type { Token } from '../../../tests/support/treasury-reading.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import type { FigureState, TreasurySnapshot } from '../contract.ts';
import type { TreasuryReading } from './reading.ts';
import { valueTreasury } from './valuation.ts';

type FigureName = keyof TreasurySnapshot['figures'];

const figuresOf = (reading: TreasuryReading) => valueTreasury(reading, settings, now).snapshot.figures;
const statesOf = (reading: TreasuryReading): Partial<Record<FigureName, FigureState>> =>
  Object.fromEntries(Object.entries(figuresOf(reading)).map(([name, { state }]) => [name, state]));

const onlyChain = { balanceInSui: 'live', nftHoldings: 'live' };
const all = (state: FigureState) => ({
  totalUsdValue: state,
  tokenTotalUsd: state,
  nftTotalValueSui: state,
  nftTotalValueUsd: state,
  nftTotalAtBestBidSui: state,
  valuePerRock: state,
  allocation: state,
});
const holdings = [held(rocks, 2)];
const oldPrice = new Map([[suiCoinType, { quote: quote('2'), readAt: ago(3 * minuteMs) }]]);

describe('rulings R3: every figure has the state of its worst input', () => {
  test.each<{ what: string; reading: TreasuryReading; states: object }>([
    { what: 'all read in time', reading: readingOf([sui], { holdings }), states: { ...onlyChain, ...all('live') } },
    {
      what: 'floors are old: only figures from the marketplace are stale',
      reading: readingOf([sui], { holdings, market: market(fact(rocks, { asOf: ago(5 * minuteMs) })) }),
      states: { ...onlyChain, ...all('stale'), tokenTotalUsd: 'live', suiPrice: 'live' },
    },
    {
      what: 'the price is old: only figures in USD are stale',
      reading: readingOf([sui], { holdings, prices: oldPrice }),
      states: { ...onlyChain, ...all('stale'), nftTotalValueSui: 'live', nftTotalAtBestBidSui: 'live' },
    },
    {
      what: 'the price is old and no SUI is held: NFTs in USD still depend on it',
      reading: readingOf([], { holdings, prices: oldPrice }),
      states: { nftTotalValueUsd: 'stale', totalUsdValue: 'stale', tokenTotalUsd: 'live' },
    },
    {
      what: 'the price is old and neither SUI nor an NFT is held: no total depends on it',
      reading: readingOf([[usdc, 1n, coin(usdc, 'USDC', 6), quote('1')]], {
        prices: new Map([...oldPrice, [usdc, { quote: quote('1'), readAt: ago(minuteMs) }]]),
      }),
      states: { suiPrice: 'stale', totalUsdValue: 'live', tokenTotalUsd: 'live', nftTotalValueUsd: 'live' },
    },
    {
      what: 'the number of minted rocks is old: only the value per rock is stale',
      reading: readingOf([sui], { market: market(fact(rocks, { asOf: ago(5 * minuteMs) })) }),
      states: { ...onlyChain, totalUsdValue: 'live', tokenTotalUsd: 'live', valuePerRock: 'stale' },
    },
    {
      what: 'the chain reading is old: everything but the price is stale',
      reading: readingOf([sui], { holdings, chainReadAt: ago(5 * minuteMs), holdingsReadAt: ago(5 * minuteMs) }),
      states: { ...all('stale'), balanceInSui: 'stale', nftHoldings: 'stale', suiPrice: 'live' },
    },
    {
      what: 'the marketplace never answered: figures that need it are unavailable, the total is an estimate',
      reading: readingOf([sui], { holdings, market: null }),
      states: { ...onlyChain, ...all('unavailable'), tokenTotalUsd: 'live', totalUsdValue: 'estimated' },
    },
    {
      what: 'SUI never had a price: figures in SUI are still live',
      reading: readingOf([[suiCoinType, 1n, undefined, undefined] satisfies Token], { holdings }),
      states: {
        ...onlyChain,
        ...all('unavailable'),
        suiPrice: 'unavailable',
        nftTotalValueSui: 'live',
        nftTotalAtBestBidSui: 'live',
      },
    },
  ])('$what', ({ reading, states }) => expect(statesOf(reading)).toMatchObject(states));
});

describe('rulings R3: every figure has a time and its sources', () => {
  const figures = figuresOf(
    readingOf([sui], {
      holdings: [held(rocks, 2), held(bats, 1)],
      market: { askedTypes: [rocks], facts: market(fact(rocks, { asOf: ago(90_000) })).facts },
    }),
  );

  test('the time is that of the oldest part', () => {
    expect(figures.tokenTotalUsd).toMatchObject({
      asOf: '2026-11-20T11:59:00.000Z',
      source: 'Sui full node, defillama',
    });
    expect(figures.nftTotalValueSui.asOf).toBe('2026-11-20T11:58:30.000Z');
    expect(figures.valuePerRock.asOf).toBe('2026-11-20T11:58:30.000Z');
  });

  test('a sum without one of its parts is an estimate and says what is missing', () => {
    const without = 'Sui full node, tradeport (without the NFTs whose floor is unknown)';
    expect(figures.nftTotalValueSui).toMatchObject({ state: 'estimated', source: without });
    expect(figures.nftTotalAtBestBidSui.source).toContain('(without the NFTs whose best bid is unknown)');
    expect(figures.nftTotalValueUsd.source).toContain('defillama');
    expect(figures.allocation).toEqual(figures.totalUsdValue);
  });

  test('an unknown figure has no time and says what it waits for', () => {
    const none = figuresOf(readingOf([sui], { holdings, market: null }));
    expect(none.nftTotalValueSui).toEqual({ state: 'unavailable', asOf: null, source: 'no floor price yet' });
    expect(none.valuePerRock.source).toBe('needs the total and the number of minted rocks');
  });
});
