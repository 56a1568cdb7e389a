import { describe, expect, test } from 'vitest';
import {
  ago,
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
} from '../../../tests/support/treasury-reading.ts';
import type { Token } from '../../../tests/support/treasury-reading.ts';
import { stakedSuiType, suiCoinType } from '../../shared/sui-address.ts';
import type { TreasuryReading } from './reading.ts';
import { valueTreasury } from './valuation.ts';

const value = (reading: TreasuryReading, at = now) => valueTreasury(reading, settings, at).snapshot;

describe('unknown is never zero', () => {
  test('if SUI never had a price, totals are null but the balance is shown', () => {
    const unpriced: Token = [suiCoinType, 100_000_000_000n, undefined, undefined];
    const snapshot = value(readingOf([unpriced], { holdings: [held(rocks, 2)] }));
    expect(snapshot).toMatchObject({
      totalUsdValue: null,
      tokenTotalUsd: null,
      nftTotalValueUsd: null,
      nftTotalValueSui: 25,
      suiPriceUsd: null,
      valuePerRock: null,
      state: 'unavailable',
      balance: { balanceInSui: 100 },
    });
    expect(snapshot.tokenBreakdown).toMatchObject([
      { symbol: 'SUI', usdValue: null, price: null, state: 'unavailable' },
    ]);
    expect(snapshot.allocation.map((slice) => slice.actualPercent)).toEqual([null, null, null, null, null]);
  });

  test('a doubtful SUI price is no price: the row of SUI has no value', () => {
    const doubtful: Token = [sui[0], sui[1], sui[2], quote('2', { confidence: 0.89 })];
    const snapshot = value(readingOf([doubtful]));
    expect(snapshot).toMatchObject({ totalUsdValue: null, suiPriceUsd: null, uncountedTokens: [] });
    expect(snapshot.tokenBreakdown).toMatchObject([{ symbol: 'SUI', usdValue: null, state: 'unavailable' }]);
  });

  test('an empty treasury with a known price is worth exactly 0', () => {
    const empty = readingOf([], { prices: new Map([[suiCoinType, { quote: quote('2'), readAt: now }]]) });
    const snapshot = value(empty);
    expect(snapshot).toMatchObject({ totalUsdValue: 0, state: 'live', balance: { balanceInSui: 0 } });
    // Known to be none, unlike the two that no chain shows.
    expect(snapshot.allocation.map((slice) => slice.actualPercent)).toEqual([null, 0, null, 0, 0]);
  });
});

describe('rulings R3: states by age', () => {
  test('a figure is live up to twice its refresh and stale after it', () => {
    const reading = readingOf([sui]);
    expect(value(reading, new Date(now.getTime() + minuteMs)).state).toBe('live');
    const later = value(reading, new Date(now.getTime() + minuteMs + 1));
    expect(later).toMatchObject({ state: 'stale', totalUsdValue: 200, asOf: '2026-11-20T11:59:00.000Z' });
    expect(later.figures.balanceInSui.state).toBe('stale');
  });

  test('a price that was read long ago, or that its source calls old, makes its row and the total stale but still counts', () => {
    const reading = readingOf([sui]);
    const old = { quote: quote('2'), readAt: ago(48 * 60 * minuteMs) };
    const readLongAgo = value({ ...reading, prices: new Map([[suiCoinType, old]]) });
    expect(readLongAgo).toMatchObject({ state: 'stale', totalUsdValue: 200 });
    expect(readLongAgo.figures.balanceInSui.state).toBe('live');
    expect(readLongAgo.figures.suiPrice.state).toBe('stale');
    const calledOld = value(readingOf([[sui[0], sui[1], sui[2], quote('2', { asOf: ago(16 * minuteMs) })]]));
    expect(calledOld.tokenBreakdown[0]).toMatchObject({ state: 'stale', usdValue: 200 });
  });

  test('an old floor makes the NFT row and the total stale, not the tokens', () => {
    const old = market(fact(rocks, { asOf: ago(5 * minuteMs) }));
    const snapshot = value(readingOf([sui], { holdings: [held(rocks, 1)], market: old }));
    expect(snapshot.nftBreakdown[0]?.state).toBe('stale');
    expect(snapshot.tokenBreakdown[0]?.state).toBe('live');
    expect(snapshot.figures.totalUsdValue).toMatchObject({ state: 'stale', asOf: '2026-11-20T11:55:00.000Z' });
  });
});

describe('staked SUI', () => {
  test('staked SUI has its own row at the SUI price, in the totals and in not yet deployed; SUI Holdings stays the balance', () => {
    const snapshot = value(readingOf([sui], { stakedMist: 50_000_000_000n }));
    expect(snapshot.tokenBreakdown[1]).toMatchObject({
      symbol: 'Staked SUI',
      name: 'Principal without rewards',
      coinType: stakedSuiType,
      humanBalance: 50,
      usdValue: 100,
      priceSource: 'defillama',
      state: 'live',
      explorerUrl: snapshot.explorerUrl,
    });
    expect(snapshot).toMatchObject({ tokenTotalUsd: 300, totalUsdValue: 300, balance: { balanceInSui: 100 } });
    expect(snapshot.allocation.at(-1)).toMatchObject({ name: 'Not yet deployed', actualUsd: 300 });
  });

  test('staked SUI has no value while SUI has no price: neither is zero', () => {
    const snapshot = value(readingOf([], { stakedMist: 50_000_000_000n }));
    expect(snapshot.tokenBreakdown).toMatchObject([{ coinType: stakedSuiType, usdValue: null, state: 'unavailable' }]);
    expect(snapshot).toMatchObject({ tokenTotalUsd: null, totalUsdValue: null });
  });
});
