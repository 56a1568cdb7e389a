import { useQuery } from '@tanstack/react-query';
import { ApiError, callApi, failureText, type Fetch } from '../../ui/api/api-client.ts';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import {
  historyAnswer,
  type ShownHistory,
  type ShownTreasury,
  treasuryAnswer,
  trendAnswer,
} from './treasury-answer.ts';
import type { FigureState } from '../contract.ts';

/** Specification 7: refetched every 300000 ms, fresh for 240000 ms, 3 retries; it overrides the data layer's defaults. */
export const treasuryRefetchEveryMs = 300_000;
export const treasuryFreshForMs = 240_000;
export const treasuryRetries = 3;

/** The spans that GET /api/treasury/history knows. */
export type HistoryDays = 1 | 7 | 30 | 90 | 'all';

/** What the chart begins with. */
export const firstHistoryDays: HistoryDays = 30;

const rules = { refetchInterval: treasuryRefetchEveryMs, staleTime: treasuryFreshForMs, retry: treasuryRetries };

export const useTreasury = () =>
  useQuery({ queryKey: ['/api/treasury/balance'], queryFn: ({ signal }) => fetchTreasury(fetch, signal), ...rules });

export const useTreasuryHistory = (days: HistoryDays) =>
  useQuery({
    queryKey: ['/api/treasury/history', days],
    queryFn: ({ signal }) => fetchTreasuryHistory(fetch, days, signal),
    ...rules,
  });

const trendPath = '/api/treasury/trend';

export const useTreasuryTrend = () =>
  useQuery({
    queryKey: [trendPath],
    queryFn: ({ signal }) => readAnswer({ path: trendPath, signal }, trendAnswer),
    ...rules,
  });

/** `data` of an answer, unchecked. Specification 8: a failure is 'HTTP {status}: {statusText}'. */
async function readData(fetchFrom: Fetch, path: string, signal: AbortSignal): Promise<unknown> {
  const answer = await callApi({ path, signal }, fetchFrom).catch((error: unknown) => {
    const text = error instanceof ApiError ? `HTTP ${error.status}: ${error.statusText}` : failureText(error);
    throw new Error(text, { cause: error });
  });
  // As from a network that wants a login first: that is a failure, and no answer without data.
  if (answer instanceof Response) throw new Error('The answer is not from this site');
  return (answer as { readonly data?: unknown } | null)?.data;
}

/** GET /api/treasury/balance (specification 7). null: the server answered without data. */
export async function fetchTreasury(fetchFrom: Fetch, signal: AbortSignal): Promise<ShownTreasury | null> {
  const read = treasuryAnswer.safeParse(await readData(fetchFrom, '/api/treasury/balance', signal));
  return read.success ? read.data : null;
}

/** GET /api/treasury/history: what is known of the last `days` days, oldest first. */
export async function fetchTreasuryHistory(
  fetchFrom: Fetch,
  days: HistoryDays,
  signal: AbortSignal,
): Promise<ShownHistory> {
  const read = historyAnswer.safeParse(await readData(fetchFrom, `/api/treasury/history?days=${days}`, signal));
  if (!read.success) throw new Error('The answer has no readings', { cause: read.error });
  return read.data;
}

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
