import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd } from './number-format.ts';
import { shownTokenTotal, unlistedLine } from './shown-sums.ts';

/** Cents that a reader of the page adds up; what is under a cent counts as none. */
const centsIn = (text: string): number =>
  text.startsWith('<') ? 0 : Math.round(Number(text.replace(/[$,]/g, '')) * 100);

const sumOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + centsIn(text), 0);

const microUsd = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }),
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.integer({ min: 0, max: 900_000_000_000 }),
);
const values = fc.array(microUsd, { maxLength: 30 });

describe('Issue 19 F: what is shown adds up to the total shown, to the cent', () => {
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

  it('says what the line is: small balances, rounding, or what another server leaves out', () => {
    expect(unlistedLine({ values: [1.004, 1.004], total: 2.008 })).toEqual({ name: 'Rounding', text: '$0.01' });
    expect(unlistedLine({ values: [1.006, 1.006], total: 2.012 })).toEqual({ name: 'Rounding', text: '-$0.01' });
    expect(unlistedLine({ values: [1], total: 3, hiddenCount: 2 })).toEqual({
      name: '2 small balances are counted but not listed (0.001 tokens or less each), and rounding',
      text: '$2',
    });
    expect(unlistedLine({ values: [100, null], total: 250 })).toEqual({ name: 'Not in the rows above', text: '$150' });
    expect(unlistedLine({ values: [100], total: 100 })).toBeNull();
    expect(unlistedLine({ values: [100], total: null })).toBeNull();
  });

  it('makes no total of the tokens that the server did not tell', () => {
    expect(shownTokenTotal({ totalUsdValue: 2400.25, nftTotalValueUsd: 300, tokenTotalUsd: null })).toBeNull();
    expect(shownTokenTotal({ totalUsdValue: 2400.25, nftTotalValueUsd: 300, tokenTotalUsd: 1000 })).toBe(1000);
  });
});
