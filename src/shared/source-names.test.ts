import { describe, expect, it } from 'vitest';
import { sourceInWords } from './source-status.ts';

describe('the sources of a figure, in words', () => {
  it('have their proper spelling, and the rest of the text stays', () => {
    expect(sourceInWords('Sui full node, defillama, tradeport')).toBe('Sui full node, DefiLlama, TradePort');
    expect(sourceInWords('tradeport (without the NFTs whose floor is unknown)')).toBe(
      'TradePort (without the NFTs whose floor is unknown)',
    );
    expect(sourceInWords('geckoterminal')).toBe('GeckoTerminal');
    expect(sourceInWords('no price yet')).toBe('no price yet');
  });
});
