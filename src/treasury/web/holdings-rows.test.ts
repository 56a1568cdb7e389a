import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  hiddenTokensNote,
  iconLetter,
  nftRows,
  abbreviatedType,
  shownTokenTotal,
  tokenRows,
  unlistedLine,
  whereHeld,
} from './holdings-rows.ts';
import type { ShownToken } from './treasury-answer.ts';
import type { NftHolding } from '../contract.ts';
import { formatUsd } from './number-format.ts';

const token = (symbol: string, humanBalance: number, usdValue: number | null): ShownToken => ({
  symbol,
  name: symbol,
  coinType: `0x1::${symbol.toLowerCase()}::${symbol}`,
  humanBalance,
  usdValue,
  price: null,
  priceSource: 'DefiLlama',
  priceAsOf: null,
  rawBalance: '1',
  decimals: 9,
  iconUrl: null,
  explorerUrl: 'https://explorer.example/coin/0x1',
  state: 'live',
});

const symbols = (tokens: readonly ShownToken[]) => tokenRows(tokens).rows.map((row) => row.token.symbol);

describe('Specification 2 and 9: token holdings list', () => {
  it('hides balances of 0.001 or less', () => {
    expect(symbols([token('A', 0.001, 900), token('B', 0.001_000_1, 1), token('C', 0, 5)])).toEqual(['B']);
  });

  it('counts what it hides', () => {
    expect(tokenRows([token('A', 0.001, 900), token('B', 5, 1)]).hiddenCount).toBe(1);
    expect(hiddenTokensNote(1)).toContain('1 small balance is counted but not listed');
    expect(hiddenTokensNote(4)).toContain('4 small balances are counted but not listed');
  });

  it('sorts by USD value, descending, unknown values last', () => {
    expect(symbols([token('LOW', 5, 1), token('NONE', 5, null), token('TOP', 5, 100), token('ZERO', 5, 0)])).toEqual([
      'TOP',
      'LOW',
      'ZERO',
      'NONE',
    ]);
  });

  it('ranks the rows shown from 1', () => {
    const { rows } = tokenRows([token('A', 5, 1), token('DUST', 0.0001, 50), token('B', 5, 2)]);
    expect(rows.map((row) => [row.rank, row.token.symbol])).toEqual([
      [1, 'B'],
      [2, 'A'],
    ]);
  });
});

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

/** Cents as a reader of the page adds them up; less than a cent counts as none. */
const centsIn = (text: string): number =>
  text.startsWith('<') ? 0 : Math.round(Number(text.replace('−', '-').replace(/[$,]/g, '')) * 100);

const sumOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + centsIn(text), 0);

const microUsd = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }),
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.integer({ min: 0, max: 900_000_000_000 }),
);
const values = fc.array(microUsd, { maxLength: 30 });

describe('Issue 19 F: the figures shown add up to the total shown, to the cent', () => {
  it('rows, the line under them and the totals, whatever the treasury holds', () => {
    fc.assert(
      fc.property(values, values, values, (listed, hidden, nfts) => {
        const usd = (micro: readonly number[]) => micro.reduce((sum, value) => sum + value, 0) / 1e6;
        const totals = {
          totalUsdValue: usd([...listed, ...hidden, ...nfts]),
          tokenTotalUsd: usd([...listed, ...hidden]),
          nftTotalValueUsd: usd(nfts),
        };
        const tokenTotal = shownTokenTotal(totals);
        const shown = (rows: readonly number[], total: number | null, hiddenCount = 0): number => {
          const line = unlistedLine({ values: rows.map((micro) => micro / 1e6), total, hiddenCount });
          return sumOf([...rows.map((micro) => formatUsd(micro / 1e6)), ...(line === null ? [] : [line.text])]);
        };
        expect(shown(listed, tokenTotal, hidden.length)).toBe(centsIn(formatUsd(tokenTotal)));
        expect(shown(nfts, totals.nftTotalValueUsd)).toBe(centsIn(formatUsd(totals.nftTotalValueUsd)));
        expect(sumOf([formatUsd(tokenTotal), formatUsd(totals.nftTotalValueUsd)])).toBe(
          centsIn(formatUsd(totals.totalUsdValue)),
        );
        expect(Math.abs((tokenTotal ?? 0) - totals.tokenTotalUsd)).toBeLessThan(0.016);
      }),
      { numRuns: 1_000 },
    );
  });

  it('names the line: small balances, rounding, or what another server leaves out', () => {
    expect(unlistedLine({ values: [1.004, 1.004], total: 2.008 })).toEqual({ name: 'Rounding', text: '$0.01' });
    expect(unlistedLine({ values: [1.006, 1.006], total: 2.012 })).toEqual({ name: 'Rounding', text: '−$0.01' });
    expect(unlistedLine({ values: [1], total: 3, hiddenCount: 2 })).toEqual({
      name: '2 small balances are counted but not listed (0.001 tokens or less each), and rounding',
      text: '$2',
    });
    expect(unlistedLine({ values: [100, null], total: 250 })).toEqual({ name: 'Not in the rows above', text: '$150' });
    expect(unlistedLine({ values: [100], total: 100 })).toBeNull();
    expect(unlistedLine({ values: [100], total: null })).toBeNull();
  });

  it('shows no token total that the server did not give', () => {
    expect(shownTokenTotal({ totalUsdValue: 2400.25, nftTotalValueUsd: 300, tokenTotalUsd: null })).toBeNull();
    expect(shownTokenTotal({ totalUsdValue: 2400.25, nftTotalValueUsd: 300, tokenTotalUsd: 1000 })).toBe(1000);
  });
});

describe('Generated marks stand in for foreign images', () => {
  it.each([
    ['sui', 'S'],
    ['$WAL', 'W'],
    ['   ', '?'],
    ['💎', '?'],
    [null, '?'],
  ])('%s gets the letter %s', (symbol, letter) => {
    expect(iconLetter(symbol)).toBe(letter);
  });
});

describe('A coin type fits on a line', () => {
  it('keeps both ends of the address and the whole module path', () => {
    expect(abbreviatedType(`0x${'0'.repeat(63)}2::sui::SUI`)).toBe('0x0000…0002::sui::SUI');
  });

  it('leaves a short address alone', () => {
    expect(abbreviatedType('0x2::sui::SUI')).toBe('0x2::sui::SUI');
  });
});
