import { useQuery } from '@tanstack/react-query';
import { ApiError, callApi, failureText, type Fetch } from '../../ui/api/api-client.ts';
import { treasuryFreshForMs, treasuryRefetchEveryMs, treasuryRetries } from '../core/refresh-rules.ts';
import { historyAnswer, type ShownPoint, type ShownTreasury, treasuryAnswer } from './treasury-answer.ts';

/** The spans that GET /api/treasury/history knows. */
export type HistoryDays = 1 | 7 | 30 | 90;

/** What the trend begins with, and what the change of 24 hours is read from. */
export const firstHistoryDays: HistoryDays = 30;

// Specification 7: refetched every 300000 ms, fresh for 240000 ms, 3 retries; it overrides the data layer's defaults.
const rules = { refetchInterval: treasuryRefetchEveryMs, staleTime: treasuryFreshForMs, retry: treasuryRetries };

export const useTreasury = () =>
  useQuery({ queryKey: ['/api/treasury/balance'], queryFn: ({ signal }) => fetchTreasury(fetch, signal), ...rules });

export const useTreasuryHistory = (days: HistoryDays) =>
  useQuery({
    queryKey: ['/api/treasury/history', days],
    queryFn: ({ signal }) => fetchTreasuryHistory(fetch, days, signal),
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

/** GET /api/treasury/history: hourly readings of the last `days` days, oldest first. */
export async function fetchTreasuryHistory(
  fetchFrom: Fetch,
  days: HistoryDays,
  signal: AbortSignal,
): Promise<readonly ShownPoint[]> {
  const read = historyAnswer.safeParse(await readData(fetchFrom, `/api/treasury/history?days=${days}`, signal));
  if (!read.success) throw new Error('The answer has no readings', { cause: read.error });
  return read.data.points;
}
