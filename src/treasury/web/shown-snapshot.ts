import type { FigureState, TreasurySnapshot } from '../contract.ts';
import { overdueState } from './figure-state.ts';

/** The snapshot with every state as the visitor should see it now: nothing looks live on a page that stopped asking. */
export function shownSnapshot(snapshot: TreasurySnapshot, overdue: boolean): TreasurySnapshot {
  // The server judged every figure when it answered.
  if (!overdue) return snapshot;
  const shown = <T extends { readonly state: FigureState }>(figure: T): T => ({
    ...figure,
    state: overdueState(figure.state),
  });
  const { figures } = snapshot;
  return {
    ...shown(snapshot),
    tokenBreakdown: snapshot.tokenBreakdown.map(shown),
    nftBreakdown: snapshot.nftBreakdown.map(shown),
    figures: {
      totalUsdValue: shown(figures.totalUsdValue),
      balanceInSui: shown(figures.balanceInSui),
      nftHoldings: shown(figures.nftHoldings),
      suiPrice: shown(figures.suiPrice),
      tokenTotalUsd: shown(figures.tokenTotalUsd),
      nftTotalValueSui: shown(figures.nftTotalValueSui),
      nftTotalValueUsd: shown(figures.nftTotalValueUsd),
      nftTotalAtBestBidSui: shown(figures.nftTotalAtBestBidSui),
      valuePerRock: shown(figures.valuePerRock),
      allocation: shown(figures.allocation),
    },
  };
}
