import type { FigureState } from '../contract.ts';
import { treasuryRefetchEveryMs } from '../core/refresh-rules.ts';
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

/** Whether the page could not refetch for two rounds: asleep, offline, server gone. */
export const isOverdue = (receivedAtMs: number, nowMs: number): boolean =>
  nowMs - receivedAtMs > 2 * treasuryRefetchEveryMs;

/** The state of a figure on an overdue page: nothing stays live (rulings R3: older than twice its refresh). */
const overdueState = (answered: FigureState): FigureState =>
  answered === 'live' || answered === 'estimated' ? 'stale' : answered;

/** One sentence per state, for the badge's explanation. */
export const stateMeaning: Readonly<Record<FigureState, string>> = {
  live: 'Read within twice its refresh interval. A price is of the time its source gives, some minutes before it was read.',
  stale: 'The last good value. Newer readings failed or have not arrived, or the source itself gives an old price.',
  estimated: 'Derived from a source without a confidence of its own, or not yet confirmed by a second read.',
  unavailable: 'Never read. No value is shown in its place.',
};

export const figureStates: readonly FigureState[] = ['live', 'stale', 'estimated', 'unavailable'];

type Known = Pick<ShownTreasury, 'treasuryAddress' | 'explorerUrl'> | null;
interface Configured {
  readonly treasuryAddress: string;
  /** Base address of the block explorer. */
  readonly explorerUrl: string;
}

/** The wallet the figures were read from; before there are figures, the configured one. */
export const walletAddress = (snapshot: Known, configured: Configured): string =>
  snapshot?.treasuryAddress ?? configured.treasuryAddress;

export const walletExplorerUrl = (snapshot: Known, configured: Configured): string =>
  snapshot?.explorerUrl ?? `${configured.explorerUrl}/account/${configured.treasuryAddress}`;
