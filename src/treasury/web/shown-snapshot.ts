import type { FigureState } from '../contract.ts';
import { treasuryRefetchEveryMs } from '../core/refresh-rules.ts';
import type { ShownTreasury } from './treasury-answer.ts';

/** Rulings R3: nothing stays live when it is older than twice its refresh. */
const overdueState = (answered: FigureState | null): FigureState | null =>
  answered === 'live' || answered === 'estimated' ? 'stale' : answered;

const overdue = <T extends { readonly state: FigureState | null } | null>(figure: T): T =>
  figure === null ? figure : { ...figure, state: overdueState(figure.state) };

/** The snapshot with every state as the visitor should see it now; the server judged every figure when it answered. */
export function shownSnapshot(snapshot: ShownTreasury, isLate: boolean): ShownTreasury {
  if (!isLate) return snapshot;
  const { figures } = snapshot;
  return {
    ...snapshot,
    tokenBreakdown: snapshot.tokenBreakdown?.map(overdue) ?? null,
    nftBreakdown: snapshot.nftBreakdown?.map(overdue) ?? null,
    figures: figures && {
      totalUsdValue: overdue(figures.totalUsdValue),
      balanceInSui: overdue(figures.balanceInSui),
      nftHoldings: overdue(figures.nftHoldings),
      tokenTotalUsd: overdue(figures.tokenTotalUsd),
      nftTotalValueSui: overdue(figures.nftTotalValueSui),
      nftTotalValueUsd: overdue(figures.nftTotalValueUsd),
      nftTotalAtBestBidSui: overdue(figures.nftTotalAtBestBidSui),
      valuePerRock: overdue(figures.valuePerRock),
      allocation: overdue(figures.allocation),
    },
  };
}

/** Whether the page could not refetch for two rounds: asleep, offline, server gone. */
export const isOverdue = (receivedAtMs: number, nowMs: number): boolean =>
  nowMs - receivedAtMs > 2 * treasuryRefetchEveryMs;

type Known = Pick<ShownTreasury, 'treasuryAddress' | 'explorerUrl'> | null;
interface Configured {
  readonly treasuryAddress: string;
  readonly explorerUrl: string;
}

/** The wallet the figures were read from; before there are figures, the configured one. */
export const walletAddress = (snapshot: Known, configured: Configured): string =>
  snapshot?.treasuryAddress ?? configured.treasuryAddress;

export const walletExplorerUrl = (snapshot: Known, configured: Configured): string =>
  snapshot?.explorerUrl ?? `${configured.explorerUrl}/account/${configured.treasuryAddress}`;
