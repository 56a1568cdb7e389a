import { array, assert, bigInt, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bats,
  coin,
  fact,
  held,
  market,
  meme,
  now,
  quote,
  readingOf,
  rocks,
  settings,
  sui,
  usdc,
  address,
} from '../../../tests/support/treasury-reading.ts';
import type { Token } from '../../../tests/support/treasury-reading.ts';
import { microUsdDecimals, toNumber, valueMicroUsd } from '../../shared/money.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { treasurySnapshot } from '../contract.ts';
import { withDeclared } from './allocation.ts';
import type { MarketFact, TreasuryReading } from './reading.ts';
import { knownCoins } from './known-coins.ts';
import { mayCount } from './nft-valuation.ts';
import { countedCoins } from './token-valuation.ts';
import { valueTreasury } from './valuation.ts';

const value = (reading: TreasuryReading, at = now) => valueTreasury(reading, settings, at).snapshot;

describe('rulings R3: which tokens count', () => {
  test.each<{ what: string; token: Token; reason: string }>([
    { what: 'a token without metadata', token: [meme, 5n, null, quote('1')], reason: 'no-metadata' },
    { what: 'a token whose metadata was never read', token: [meme, 5n, undefined, quote('1')], reason: 'no-metadata' },
    { what: 'USDC under another type', token: [meme, 5n, coin(meme, 'USDC', 6), quote('1')], reason: 'impersonator' },
    { what: 'a lookalike of SUI', token: [meme, 5n, coin(meme, 'ЅUІ', 9), quote('1')], reason: 'impersonator' },
    { what: 'a token that no source prices', token: [meme, 5n, coin(meme, 'MEME', 6), undefined], reason: 'unpriced' },
    { what: 'a price of zero', token: [meme, 5n, coin(meme, 'MEME', 6), quote('0')], reason: 'unpriced' },
    {
      what: 'a price of confidence 0.89',
      token: [meme, 5n, coin(meme, 'MEME', 6), quote('1', { confidence: 0.89 })],
      reason: 'low-confidence',
    },
  ])('$what is listed separately and not counted', ({ token, reason }) => {
    const snapshot = value(readingOf([sui, token]));
    expect(snapshot.uncountedTokens).toMatchObject([{ coinType: meme, reason, rawBalance: '5' }]);
    expect(snapshot.tokenBreakdown.map((row) => row.coinType)).toEqual([suiCoinType]);
    expect(snapshot.totalUsdValue).toBe(200);
  });

  test('a price of confidence 0.9 counts, and so does one without confidence, as an estimate', () => {
    const exact = value(readingOf([sui, [meme, 1_000_000n, coin(meme, 'MEME', 6), quote('3', { confidence: 0.9 })]]));
    expect(exact).toMatchObject({ totalUsdValue: 203, state: 'live' });
    const gecko = quote('3', { confidence: null, source: 'geckoterminal' });
    const estimated = value(readingOf([sui, [meme, 1_000_000n, coin(meme, 'MEME', 6), gecko]]));
    expect(estimated).toMatchObject({ totalUsdValue: 203, state: 'estimated' });
    const tokens = [sui, [meme, 1_000_000n, coin(meme, 'MEME', 6), gecko], ['0xd::none::NONE', 5n, null, quote('1')]];
    expect(countedCoins(readingOf(tokens as Token[]))).toEqual([suiCoinType, meme]);
    expect(estimated.tokenBreakdown[1]).toMatchObject({ state: 'estimated', priceSource: 'geckoterminal' });
    expect(estimated.figures.totalUsdValue.source).toContain('geckoterminal');
  });

  test('a small balance that the list hides still counts in the total', () => {
    const snapshot = value(readingOf([sui, [usdc, 1_000n, coin(usdc, 'USDC', 6), quote('1')]]));
    expect(snapshot.tokenBreakdown[1]).toMatchObject({ humanBalance: 0.001 });
    expect(snapshot.totalUsdValue).toBe(200.001);
  });

  test('rows are sorted by USD value, descending, and have raw balance, decimals, price, source, time and link', () => {
    const snapshot = value(readingOf([[usdc, 900_000_000n, coin(usdc, 'USDC', 6), quote('1')], sui]));
    expect(snapshot.tokenBreakdown.map((row) => row.symbol)).toEqual(['USDC', 'SUI']);
    expect(snapshot.tokenBreakdown[0]).toEqual({
      symbol: 'USDC',
      name: 'USDC',
      coinType: usdc,
      humanBalance: 900,
      usdValue: 900,
      price: 1,
      priceSource: 'defillama',
      priceAsOf: '2026-11-20T11:59:00.000Z',
      rawBalance: '900000000',
      decimals: 6,
      iconUrl: null,
      explorerUrl: `https://suiscan.xyz/mainnet/coin/${usdc}`,
      state: 'live',
    });
  });
});

describe('rulings R3: which NFTs count', () => {
  test('NFTs at floor are count x floor of the verified collection, and best bid is a total of its own', () => {
    const snapshot = value(readingOf([sui], { holdings: [held(rocks, 6)] }));
    expect(snapshot.nftBreakdown).toMatchObject([
      {
        collectionId: rocks,
        collectionName: 'Rocks',
        count: 6,
        averagePriceSui: 12.5,
        totalValueSui: 75,
        totalValueUsd: 150,
      },
    ]);
    expect(snapshot).toMatchObject({
      nftTotalValueSui: 75,
      nftTotalValueUsd: 150,
      nftTotalAtBestBidSui: 60,
      tokenTotalUsd: 200,
      totalUsdValue: 350,
    });
  });

  test.each<{ reason: string; facts: MarketFact[] }>([
    { reason: 'unverified-collection', facts: [fact(bats, { verified: false })] },
    { reason: 'not-on-marketplace', facts: [] },
    { reason: 'no-floor', facts: [fact(bats, { floorMist: null })] },
  ])('$reason: listed separately, never counted', ({ reason, facts }) => {
    const snapshot = value(readingOf([sui], { holdings: [held(bats, 3)], market: market(...facts) }));
    expect(snapshot.uncountedNfts).toMatchObject([{ collectionType: bats, count: 3, reason }]);
    expect(snapshot).toMatchObject({ nftBreakdown: [], nftTotalValueUsd: 0, totalUsdValue: 200 });
  });

  test('a marketplace that never answered makes the floor unknown, not zero, and the total an estimate', () => {
    const snapshot = value(readingOf([sui], { holdings: [held(bats, 3)], market: null }));
    expect(snapshot.nftBreakdown).toMatchObject([
      { count: 3, averagePriceSui: null, totalValueUsd: null, state: 'unavailable' },
    ]);
    expect(snapshot).toMatchObject({ nftTotalValueSui: null, nftTotalValueUsd: null, nftTotalAtBestBidSui: null });
    expect(snapshot.figures.totalUsdValue).toMatchObject({ state: 'estimated' });
    expect(snapshot.totalUsdValue).toBe(200);
  });

  test('collections are sorted by value, descending; those of unknown value come last', () => {
    const cats = `${'0x'.padEnd(66, 'b')}::cats::Cat`;
    const known = market(fact(rocks, { floorMist: 1n }), fact(bats, { floorMist: 9n }));
    for (const holdings of [
      [held(cats, 99), held(rocks, 4), held(bats, 1)],
      [held(bats, 1), held(rocks, 4), held(cats, 99)],
    ]) {
      const { nftBreakdown } = value(readingOf([sui], { holdings, market: known }));
      expect(nftBreakdown.map(({ collectionId }) => collectionId)).toEqual([bats, rocks, cats]);
    }
  });

  test('pieces of a verified collection with a floor may count; while the marketplace never answered, pieces of any may', () => {
    const known = market(fact(rocks), fact(bats, { verified: false }));
    const reading = readingOf([sui], { market: known });
    expect(['0xe::prize::Prize', rocks, bats].map((type) => mayCount(type, reading))).toEqual([false, true, false]);
    const noFloor = readingOf([sui], { market: market(fact(rocks, { floorMist: null })) });
    expect(mayCount(rocks, noFloor)).toBe(false);
    expect([null, readingOf([sui], { market: null })].map((unread) => mayCount(bats, unread))).toEqual([true, true]);
  });

  test('value per rock is the total over the minted count, and unknown without one', () => {
    expect(value(readingOf([sui])).valuePerRock).toMatchObject({ usd: 1, mintedCount: 200 });
    expect(value(readingOf([sui], { market: market(fact(rocks, { mintedCount: null })) })).valuePerRock).toBeNull();
    expect(value(readingOf([sui], { market: null })).valuePerRock).toBeNull();
  });
});

describe('actual against target allocation (specification 9, decision 0009)', () => {
  test('amounts declared by the team are shown beside the shares and change none of them', () => {
    const { allocation } = value(readingOf([sui], { holdings: [held(rocks, 6)] }));
    const declared = { usd: '12000.5', at: now.toISOString(), by: 'Flint' };
    const shown = withDeclared(allocation, [
      { slice: 'operations', declared },
      { slice: 'leveraged-trading', declared: null },
    ]);
    expect(shown).toEqual(
      allocation.map((row) => (row.name === 'Operations' ? { ...row, declared: { ...declared, usd: 12_000.5 } } : row)),
    );
  });

  test('40/30/20/10 is compared with NFTs, other tokens and what is not visible, beside SUI and stablecoins', () => {
    const reading = readingOf(
      [
        sui,
        [usdc, 100_000_000n, coin(usdc, 'USDC', 6), quote('1')],
        [meme, 50_000_000n, coin(meme, 'MEME', 6), quote('1')],
      ],
      { holdings: [held(rocks, 6)] },
    );
    expect(value(reading).allocation).toMatchObject([
      { name: 'Leveraged Trading', targetPercent: 40, actualPercent: null, actualUsd: null },
      { name: 'SUI NFT Treasury', targetPercent: 30, actualPercent: 30, actualUsd: 150 },
      { name: 'Operations', targetPercent: 20, actualPercent: null, actualUsd: null },
      { name: 'Degen Plays', targetPercent: 10, actualPercent: 10, actualUsd: 50 },
      { name: 'Not yet deployed', targetPercent: null, actualPercent: 60, actualUsd: 300 },
    ]);
    const notVisible = value(reading).allocation.filter(({ note }) =>
      note.toLowerCase().includes('not visible on chain'),
    );
    expect(notVisible.map(({ name }) => name)).toEqual(['Leveraged Trading', 'Operations']);
  });

  test.each(['USDC', 'USDT', 'wUSDC', 'suiUSDT', 'AUSD', 'FDUSD', 'BUCK'])('%s is not yet deployed', (symbol) => {
    const types = knownCoins[symbol] ?? [];
    const held = types.map((type): Token => [type, 1_000_000n, coin(type, symbol, 6), quote('1')]);
    const { allocation, tokenBreakdown } = value(readingOf([sui, ...held]));
    expect(tokenBreakdown.map((row) => row.symbol)).toEqual(['SUI', ...types.map(() => symbol)]);
    expect(allocation[4]).toMatchObject({ name: 'Not yet deployed', actualUsd: 200 + types.length });
  });
});

test('totals are the sums of the rows shown, to the last micro-USD, and every snapshot fits the contract', () => {
  const tokens = array(
    record({
      raw: bigInt({ min: 1n, max: 10n ** 30n }),
      decimals: integer({ min: 0, max: 24 }),
      pico: bigInt({ min: 1n, max: 10n ** 15n }),
    }),
    { maxLength: 12 },
  );
  assert(
    property(tokens, integer({ min: 0, max: 1_000 }), (drawn, nftCount) => {
      const rows = drawn.map(({ raw, decimals, pico }, index): Token => {
        const type = `${address('b')}::coin_${index}::C${index}`;
        return [type, raw, coin(type, `C${index}`, decimals), quote('1', { pricePicoUsd: pico })];
      });
      const reading = readingOf([sui, ...rows], { holdings: [held(rocks, nftCount)] });
      const { snapshot, totals } = valueTreasury(reading, settings, now);
      const byRow = snapshot.tokenBreakdown.map((row) =>
        valueMicroUsd(BigInt(row.rawBalance), row.decimals, reading.prices.get(row.coinType)?.quote.pricePicoUsd ?? 0n),
      );
      expect(totals.tokenMicroUsd).toBe(byRow.reduce((sum, row) => sum + row, 0n));
      expect(totals.totalMicroUsd).toBe((totals.tokenMicroUsd ?? 0n) + (totals.nftMicroUsd ?? 0n));
      expect(snapshot.totalUsdValue).toBe(toNumber(totals.totalMicroUsd ?? 0n, microUsdDecimals));
      expect(treasurySnapshot.parse(snapshot)).toEqual(snapshot);
    }),
  );
});
