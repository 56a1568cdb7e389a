import { describe, expect, it } from 'vitest';
import type { Provenance, TreasurySnapshot } from '../contract.ts';
import { markStale } from '../../ui/api/use-public-answer.ts';
import { summaryCards, type SummaryInput } from './summary-cards.tsx';

const live: Provenance = { state: 'live', asOf: '2026-11-20T14:01:00Z', source: 'Sui full node' };
const missing: Provenance = { state: 'unavailable', asOf: null, source: 'Sui full node' };

const holding = (count: number): TreasurySnapshot['nftBreakdown'][number] => ({
  collectionId: '0x1::rock::Nft',
  collectionName: 'Rocks',
  count,
  averagePriceSui: 10,
  totalValueUsd: 30 * count,
  totalValueSui: 10 * count,
  bestBidSui: 9,
  listedCount: 0,
  kioskCount: count,
  floorAsOf: live.asOf,
  explorerUrl: 'https://explorer.example/object/0x1',
  state: 'live',
});

const snapshot = (over: Partial<TreasurySnapshot> = {}): TreasurySnapshot => ({
  network: 'mainnet',
  treasuryAddress: '0xabc',
  explorerUrl: 'https://explorer.example/account/0xabc',
  asOf: '2026-11-20T14:01:00Z',
  checkpoint: '1',
  state: 'live',
  totalUsdValue: 51_234.567,
  balance: { balanceInSui: 1234.5 },
  tokenBreakdown: [],
  nftBreakdown: [holding(12), holding(1200)],
  nftTotalValueSui: 120,
  nftTotalValueUsd: 360,
  nftTotalAtBestBidSui: 108,
  tokenTotalUsd: 5000,
  uncountedTokens: [],
  uncountedTokenCount: 0,
  uncountedNfts: [],
  uncountedNftCollectionCount: 0,
  figures: {
    totalUsdValue: live,
    balanceInSui: live,
    nftHoldings: live,
    suiPrice: live,
    tokenTotalUsd: live,
    nftTotalValueSui: live,
    nftTotalValueUsd: live,
    nftTotalAtBestBidSui: live,
    valuePerRock: live,
    allocation: live,
  },
  suiPriceUsd: 3,
  valuePerRock: null,
  allocation: [],
  jump: null,
  ...over,
});

const cards = (over: Partial<SummaryInput>) => summaryCards({ failed: false, snapshot: snapshot(), ...over });

describe('Specification 2: three summary cards', () => {
  it("show 'Loading...' until the first answer", () => {
    expect(cards({ snapshot: undefined }).map((card) => card.text)).toEqual(['Loading...', 'Loading...', 'Loading...']);
  });

  it("show 'Error loading' on failure", () => {
    const shown = cards({ snapshot: undefined, failed: true });
    expect(shown.map((card) => card.text)).toEqual(['Error loading', 'Error loading', 'Error loading']);
  });

  it('show total value in USD, SUI holdings and the total NFT count', () => {
    expect(cards({}).map((card) => [card.title, card.text])).toEqual([
      ['Total Value', '$51,234.57'],
      ['SUI Holdings', '1,234.5 SUI'],
      ['NFT Holdings', '1,212 NFTs'],
    ]);
  });

  it('fall back to the sample figures and 0 NFTs when the answer has no data', () => {
    expect(cards({ snapshot: null }).map((card) => card.text)).toEqual(['$1,247.50', '8,420.3 SUI', '0 NFTs']);
  });
});

describe('Rulings R3: a sample figure never passes for a real one', () => {
  it('carries the label', () => {
    const shown = cards({ snapshot: snapshot({ totalUsdValue: null, balance: null }) });
    expect(shown[0]).toMatchObject({ kind: 'sample', label: 'Sample figure: live data unavailable' });
    expect(shown[1]).toMatchObject({ kind: 'sample', label: 'Sample figure: live data unavailable' });
    expect(shown[2]).toMatchObject({ kind: 'value', text: '1,212 NFTs' });
  });

  it('an NFT count that was never read is a labelled fallback, not a zero', () => {
    const figures = { ...snapshot().figures, nftHoldings: missing };
    expect(cards({ snapshot: snapshot({ nftBreakdown: [], figures }) })[2]).toMatchObject({
      kind: 'sample',
      text: '0 NFTs',
      label: 'Fallback figure: live data unavailable',
    });
  });

  it('a treasury that really holds no NFTs says so without a label', () => {
    expect(cards({ snapshot: snapshot({ nftBreakdown: [] }) })[2]).toMatchObject({ kind: 'value', text: '0 NFTs' });
  });
});

describe('Rulings R3: every figure has a state and an age', () => {
  it('is the one the server gave while answers arrive', () => {
    expect(cards({})[0]).toMatchObject({ state: 'live', asOf: '2026-11-20T14:01:00Z', source: 'Sui full node' });
  });

  it('keeps the last good value, as stale, when no answer came for two rounds', () => {
    const late = markStale(snapshot());
    const [total] = cards({ failed: true, snapshot: late });
    expect(total).toMatchObject({ kind: 'value', text: '$51,234.57', state: 'stale', asOf: live.asOf });
    expect(late.nftBreakdown.map((held) => held.state)).toEqual(['stale', 'stale']);
    const figures = Object.values(late.figures);
    expect(figures.map((figure) => figure.state)).toEqual(figures.map(() => 'stale'));
    expect(figures).toHaveLength(10);
  });

  it('an unavailable figure stays unavailable however old', () => {
    const figures = { ...snapshot().figures, tokenTotalUsd: missing };
    expect(markStale(snapshot({ figures })).figures.tokenTotalUsd.state).toBe('unavailable');
  });
});
