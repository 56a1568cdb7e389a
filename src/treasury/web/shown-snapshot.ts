import type { FigureState } from '../contract.ts';
import { overdueState } from './figure-state.ts';
import type { ShownFigure, ShownTreasury } from './treasury-answer.ts';

/** The snapshot with every state as the visitor should see it now: nothing looks live on a page that stopped asking. */
export function shownSnapshot(snapshot: ShownTreasury, overdue: boolean): ShownTreasury {
  // The server judged every figure when it answered.
  if (!overdue) return snapshot;
  const shown = <T extends { readonly state: FigureState | null }>(figure: T): T => ({
    ...figure,
    state: figure.state === null ? null : overdueState(figure.state),
  });
  const shownOrNull = (figure: ShownFigure): ShownFigure => (figure === null ? null : shown(figure));
  const { figures } = snapshot;
  return {
    ...snapshot,
    tokenBreakdown: snapshot.tokenBreakdown?.map(shown) ?? null,
    nftBreakdown: snapshot.nftBreakdown?.map(shown) ?? null,
    figures:
      figures === null
        ? null
        : {
            totalUsdValue: shownOrNull(figures.totalUsdValue),
            balanceInSui: shownOrNull(figures.balanceInSui),
            nftHoldings: shownOrNull(figures.nftHoldings),
            tokenTotalUsd: shownOrNull(figures.tokenTotalUsd),
            nftTotalValueSui: shownOrNull(figures.nftTotalValueSui),
            nftTotalValueUsd: shownOrNull(figures.nftTotalValueUsd),
            nftTotalAtBestBidSui: shownOrNull(figures.nftTotalAtBestBidSui),
            valuePerRock: shownOrNull(figures.valuePerRock),
            allocation: shownOrNull(figures.allocation),
          },
  };
}
