import { describe, expect, it } from 'vitest';
import { sourceInWords } from './source-status.ts';

describe('the sources of a figure, for a reader', () => {
  it('are named as they write themselves, and what else is said of them stays', () => {
    expect(sourceInWords('Sui full node, defillama, tradeport')).toBe('Sui full node, DefiLlama, TradePort');
    expect(sourceInWords('tradeport (without the NFTs whose floor is unknown)')).toBe(
      'TradePort (without the NFTs whose floor is unknown)',
    );
    expect(sourceInWords('geckoterminal')).toBe('GeckoTerminal');
    expect(sourceInWords('no price yet')).toBe('no price yet');
  });
});
