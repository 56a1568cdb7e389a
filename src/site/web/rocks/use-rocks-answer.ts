import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { number, readAnswer } from '../../../ui/api/answer-schema.ts';
import { useInBrowser } from '../../../ui/server-written.tsx';

const refetchEveryMs = 60_000;

/** `data` of a path of the rocks; null: nothing to ask for yet. What was shown stays until the next answer has come. */
export function useRocksAnswer<Schema extends z.ZodMiniType>(path: string | null, schema: Schema) {
  // The server's page knows no address: only the browser's own is asked for.
  const isAlive = useInBrowser(() => true, false);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => readAnswer({ path: path ?? '', signal }, schema),
    enabled: isAlive && path !== null,
    refetchInterval: refetchEveryMs,
    staleTime: refetchEveryMs,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  });
}

const treasuryTotal = z.object({ totalUsdValue: number });

/** The treasury's total in USD, for arithmetic; null: not known now. */
export function useTreasuryTotalUsd(): number | null {
  const path = '/api/treasury/balance';
  const { data } = useQuery({
    // Not under the path alone: the treasury's page keeps the whole answer there.
    queryKey: [path, 'total'],
    queryFn: ({ signal }) => readAnswer({ path, signal }, treasuryTotal),
    refetchInterval: 300_000,
  });
  return data?.totalUsdValue ?? null;
}
