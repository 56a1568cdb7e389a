import { useQuery } from '@tanstack/react-query';
import { treasuryFreshForMs, treasuryRefetchEveryMs, treasuryRetries } from '../core/refresh-rules.ts';
import { fetchTreasury, fetchTreasuryHistory, type HistoryDays } from './treasury-fetch.ts';

// Specification 7: refetched every 300000 ms, fresh for 240000 ms, 3 retries; it overrides the data layer's defaults.
const rules = { refetchInterval: treasuryRefetchEveryMs, staleTime: treasuryFreshForMs, retry: treasuryRetries };

export const useTreasury = () =>
  useQuery({
    queryKey: ['/api/treasury/balance'],
    queryFn: ({ signal }) => fetchTreasury(fetch, signal),
    ...rules,
  });

/** What the trend begins with, and what the change of 24 hours is told from. */
export const firstHistoryDays: HistoryDays = 30;

export const useTreasuryHistory = (days: HistoryDays) =>
  useQuery({
    queryKey: ['/api/treasury/history', days],
    queryFn: ({ signal }) => fetchTreasuryHistory(fetch, days, signal),
    ...rules,
  });
