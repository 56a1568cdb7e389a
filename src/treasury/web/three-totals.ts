import type { Provenance, TreasurySnapshot } from '../contract.ts';

/** One of the three totals; null: not known now. */
export interface TreasuryTotal {
  readonly name: string;
  readonly usd: number | null;
  readonly sui: number | null;
  readonly meaning: string;
  /** Where the amounts shown come from: of the SUI alone while no USD value is known. */
  readonly figure: Provenance;
}

const product = (amount: number | null, price: number | null): number | null =>
  amount === null || price === null ? null : amount * price;

/** Rulings R3: tokens, NFTs at their best bid, NFTs at floor, apart: a floor is what is asked, a bid is what is paid. */
export const threeTotals = (snapshot: TreasurySnapshot): readonly TreasuryTotal[] => {
  const { figures, nftTotalValueUsd } = snapshot;
  const bidUsd = product(snapshot.nftTotalAtBestBidSui, snapshot.suiPriceUsd);
  return [
    {
      name: 'Tokens',
      usd: snapshot.tokenTotalUsd,
      sui: null,
      meaning: 'Every priced token, small balances included.',
      figure: figures.tokenTotalUsd,
    },
    {
      name: 'NFTs at best bid',
      usd: bidUsd,
      sui: snapshot.nftTotalAtBestBidSui,
      meaning: 'What the highest open collection bids offer for them.',
      // In USD a bid rests on what the floor's USD rests on: the chain, the marketplace's answer and the price of SUI.
      figure: bidUsd === null ? figures.nftTotalAtBestBidSui : figures.nftTotalValueUsd,
    },
    {
      name: 'NFTs at floor',
      usd: nftTotalValueUsd,
      sui: snapshot.nftTotalValueSui,
      meaning: 'What the cheapest listed ones ask. Counted in Total Value.',
      figure: nftTotalValueUsd === null ? figures.nftTotalValueSui : figures.nftTotalValueUsd,
    },
  ];
};
