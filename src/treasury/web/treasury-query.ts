import { useQuery } from '@tanstack/react-query';
import type { SiteConfig } from '../../shared/site-config.ts';
import { againAfterMs, ApiError, callApi, failureText, type Fetch } from '../../ui/api/api-client.ts';
import { dataIn, readAnswer } from '../../ui/api/answer-schema.ts';
import { historyAnswer, type ShownTreasury, treasuryAnswer } from './treasury-answer.ts';

/** Specification 7: refetched every 300000 ms, fresh for 240000 ms, 3 retries; it overrides the data layer's defaults. */
export const treasuryRefetchEveryMs = 300_000;
export const treasuryFreshForMs = 240_000;
export const treasuryRetries = 3;

export type HistoryDays = 1 | 7 | 30 | 90 | 'all';

export const firstHistoryDays: HistoryDays = 30;

const rules = { refetchInterval: treasuryRefetchEveryMs, staleTime: treasuryFreshForMs, retry: treasuryRetries };

export const useTreasury = () =>
  useQuery({
    queryKey: ['/api/treasury/balance'],
    queryFn: ({ signal }) => fetchTreasury(fetch, signal),
    ...rules,
    refetchInterval: ({ state }) => againAfterMs(state.error?.cause, treasuryRefetchEveryMs),
  });

/** The history of the last `days` days, oldest first. */
export function useTreasuryHistory(days: HistoryDays) {
  const path = `/api/treasury/history?days=${days}`;
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => readAnswer({ path, signal }, historyAnswer), ...rules });
}

/**
 * GET /api/treasury/balance (specification 7). null: the server answered without data. Specification 8: a failure is
 * 'HTTP {status}: {statusText}'.
 */
export async function fetchTreasury(fetchFrom: Fetch, signal: AbortSignal): Promise<ShownTreasury | null> {
  const answer = await callApi({ path: '/api/treasury/balance', signal }, fetchFrom).catch((error: unknown) => {
    const text = error instanceof ApiError ? `HTTP ${error.status}: ${error.statusText}` : failureText(error);
    throw new Error(text, { cause: error });
  });
  // For example from a network that wants a login first: that is a failure, not an answer without data.
  if (answer instanceof Response) throw new Error('The answer is not from this site');
  return dataIn(answer, treasuryAnswer) ?? null;
}

/** Not `accountLink`: in a prerendered page the address is a placeholder, which must not be encoded. */
export const walletExplorerUrl = ({ explorerUrl, treasuryAddress }: SiteConfig): string =>
  `${explorerUrl}/account/${treasuryAddress}`;
