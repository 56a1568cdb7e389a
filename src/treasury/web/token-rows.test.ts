import { describe, expect, it } from 'vitest';
import { hiddenTokensNote, tokenRows } from './token-rows.ts';
import type { ShownToken } from './treasury-answer.ts';

const token = (symbol: string, humanBalance: number, usdValue: number | null): ShownToken => ({
  symbol,
  name: symbol,
  coinType: `0x1::${symbol.toLowerCase()}::${symbol}`,
  humanBalance,
  usdValue,
  price: null,
  priceSource: 'DefiLlama',
  priceAsOf: null,
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
