import { shownTokenTotal } from './shown-sums.ts';
import type { ShownFigure, ShownTreasury } from './treasury-answer.ts';

/** One of the three totals; null: not known now. */
interface TreasuryTotal {
  readonly name: string;
  readonly usd: number | null;
  readonly sui: number | null;
  readonly meaning: string;
  /** Where the amounts shown come from: of the SUI alone while no USD value is known. */
  readonly figure: ShownFigure;
}

const product = (amount: number | null, price: number | null): number | null =>
  amount === null || price === null ? null : amount * price;

/**
 * Rulings R3: tokens, NFTs at their best bid, NFTs at floor, apart: a floor is what is asked, a bid is what is paid. A total of which the
 * answer says nothing at all is left out.
 */
export const threeTotals = (snapshot: ShownTreasury): readonly TreasuryTotal[] => {
  const { figures, nftTotalValueUsd } = snapshot;
  const bidUsd = product(snapshot.nftTotalAtBestBidSui, snapshot.suiPriceUsd);
  const totals: TreasuryTotal[] = [
    {
      name: 'Tokens',
      usd: shownTokenTotal(snapshot),
      sui: null,
      meaning: 'Every priced token, small balances included.',
      figure: figures?.tokenTotalUsd ?? null,
    },
    {
      name: 'NFTs at best bid',
      usd: bidUsd,
      sui: snapshot.nftTotalAtBestBidSui,
      meaning: "Valued at each collection's highest open bid.",
      // In USD a bid rests on what the floor's USD rests on: the chain, the marketplace's answer and the price of SUI.
      figure: (bidUsd === null ? figures?.nftTotalAtBestBidSui : figures?.nftTotalValueUsd) ?? null,
    },
    {
      name: 'NFTs at floor',
      usd: nftTotalValueUsd,
      sui: snapshot.nftTotalValueSui,
      meaning: "Valued at each collection's floor price. Counted in Total Value.",
      figure: (nftTotalValueUsd === null ? figures?.nftTotalValueSui : figures?.nftTotalValueUsd) ?? null,
    },
  ];
  return totals.filter(({ usd, sui, figure }) => usd !== null || sui !== null || figure !== null);
};
