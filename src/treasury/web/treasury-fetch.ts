import { ApiError, callApi, type Fetch } from '../../web/api-client.ts';
import { failureText } from '../../web/failure-text.ts';
import type { TreasuryBalanceAnswer, TreasuryHistoryAnswer } from '../contract.ts';

/** Specification 8: 'HTTP {status}: {statusText}'. */
const httpErrorText = (status: number, statusText: string): string => `HTTP ${status}: ${statusText}`;

async function readJson(fetchFrom: Fetch, path: string, signal: AbortSignal): Promise<unknown> {
  const answer = await callApi({ path, signal }, fetchFrom).catch((error: unknown) => {
    const text = error instanceof ApiError ? httpErrorText(error.status, error.statusText) : failureText(error);
    throw new Error(text, { cause: error });
  });
  // As from a network that wants a login first: that is a failure, and no answer without data.
  if (answer instanceof Response) throw new Error('The answer is not from this site');
  return answer;
}

/**
 * GET /api/treasury/balance (specification 7). null: the server answered without data. The answer is the server's own,
 * already held against its schema there; a second schema in the bundle would prove nothing more.
 */
export async function fetchTreasury(
  fetchFrom: Fetch,
  signal: AbortSignal,
): Promise<TreasuryBalanceAnswer['data'] | null> {
  const answer = (await readJson(fetchFrom, '/api/treasury/balance', signal)) as Partial<TreasuryBalanceAnswer> | null;
  return answer?.data ?? null;
}

/** GET /api/treasury/history: hourly readings of the last `days` days, oldest first. */
export async function fetchTreasuryHistory(
  fetchFrom: Fetch,
  days: number,
  signal: AbortSignal,
): Promise<TreasuryHistoryAnswer['data']['points']> {
  const answer = (await readJson(fetchFrom, `/api/treasury/history?days=${days}`, signal)) as TreasuryHistoryAnswer;
  return answer.data.points;
}
