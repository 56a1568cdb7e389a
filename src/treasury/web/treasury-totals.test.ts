import { describe, expect, it } from 'vitest';
import { threeTotals } from './treasury-totals.tsx';
import { treasuryAnswer } from './treasury-answer.ts';

const of = (source: string) => ({ state: 'live', asOf: null, source });

const known = {
  tokenTotalUsd: 100,
  nftTotalAtBestBidSui: 20,
  nftTotalValueSui: 30,
  nftTotalValueUsd: 90,
  suiPriceUsd: 3,
  figures: {
    tokenTotalUsd: of('tokens'),
    nftTotalAtBestBidSui: of('bids'),
    nftTotalValueSui: of('floors'),
    nftTotalValueUsd: of('floors in USD'),
  },
};
const totals = (over: object) => threeTotals(treasuryAnswer.parse({ ...known, ...over }));

describe('Rulings R3: three totals, never one number for three things', () => {
  it('shows tokens, NFTs at best bid and NFTs at floor', () => {
    expect(totals({}).map((total) => [total.name, total.usd, total.sui])).toEqual([
      ['Tokens', 100, null],
      ['NFTs at best bid', 60, 20],
      ['NFTs at floor', 90, 30],
    ]);
  });

  it('shows an unknown amount as unknown, never as zero', () => {
    expect(totals({ suiPriceUsd: null })[1]).toMatchObject({ usd: null, sui: 20 });
    expect(totals({ nftTotalAtBestBidSui: null })[1]).toMatchObject({ usd: null, sui: null });
  });

  it('leaves out a total that an answer without the additions of the rulings lacks', () => {
    const bare = threeTotals(treasuryAnswer.parse({ nftTotalValueSui: 30, nftTotalValueUsd: 90 }));
    expect(bare.map(({ name, usd, figure }) => [name, usd, figure])).toEqual([['NFTs at floor', 90, null]]);
  });

  it('gives each total the provenance of its own figure, or of the SUI figure while SUI has no price', () => {
    const sources = (over: object) => totals(over).map(({ figure }) => figure?.source);
    expect(sources({})).toEqual(['tokens', 'floors in USD', 'floors in USD']);
    expect(sources({ suiPriceUsd: null, nftTotalValueUsd: null })).toEqual(['tokens', 'bids', 'floors']);
  });
});
