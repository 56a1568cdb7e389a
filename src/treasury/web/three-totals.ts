import type { TreasurySnapshot } from '../contract.ts';

/** One way to count the treasury; null: not known now. */
export interface TreasuryTotal {
  readonly name: string;
  readonly usd: number | null;
  readonly sui: number | null;
  readonly meaning: string;
}

const product = (amount: number | null, price: number | null): number | null =>
  amount === null || price === null ? null : amount * price;

/** Rulings R3: tokens, NFTs at their best bid, NFTs at floor, apart: a floor is what is asked, a bid is what is paid. */
export const threeTotals = (snapshot: TreasurySnapshot): readonly TreasuryTotal[] => [
  {
    name: 'Tokens',
    usd: snapshot.tokenTotalUsd,
    sui: null,
    meaning: 'Every priced token, small balances included.',
  },
  {
    name: 'NFTs at best bid',
    usd: product(snapshot.nftTotalAtBestBidSui, snapshot.suiPriceUsd),
    sui: snapshot.nftTotalAtBestBidSui,
    meaning: 'What the highest open collection bids offer for them.',
  },
  {
    name: 'NFTs at floor',
    usd: snapshot.nftTotalValueUsd,
    sui: snapshot.nftTotalValueSui,
    meaning: 'What the cheapest listed ones ask. Counted in Total Value.',
  },
];
