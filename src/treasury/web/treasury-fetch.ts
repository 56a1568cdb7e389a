import type { TreasuryBalanceAnswer, TreasuryHistoryAnswer } from '../contract.ts';

/** The part of `fetch` these calls use. */
export type Fetch = (
  path: string,
  init: { readonly signal: AbortSignal; readonly credentials: 'include' },
) => Promise<Response>;

/** Specification 8: 'HTTP {status}: {statusText}'. */
const httpErrorText = (status: number, statusText: string): string => `HTTP ${status}: ${statusText}`;

async function readJson(fetchFrom: Fetch, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetchFrom(path, { signal, credentials: 'include' });
  if (!response.ok) throw new Error(httpErrorText(response.status, response.statusText));
  return response.json();
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
