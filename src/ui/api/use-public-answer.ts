import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type * as z from 'zod/mini';

import { useAtTime } from '../age.tsx';
import { useInBrowser } from '../server-written.tsx';
import { dataOf, wholeOf } from './answer-schema.ts';
import { callApi } from './api-client.ts';

/**
 * `data` of what a public call answers, read again every minute; null: nothing to ask for yet. The answer is kept whole, once for
 * everyone who reads the path, and each reader sees it through its own schema. What was shown stays until that of another path has come.
 */
export function usePublicAnswer<Schema extends z.ZodMiniType>(
  path: string | null,
  schema: Schema,
  { everyMs = 60_000 }: { readonly everyMs?: number } = {},
) {
  // The server's page knows no address: only the browser's own is asked for.
  const isAlive = useInBrowser(() => true, false);
  const key = path ?? '';
  const query = useQuery({
    queryKey: [key, 'whole'],
    // What is no answer at all is refused here: what was read before stays, with its age.
    queryFn: async ({ signal }) => wholeOf(key, await callApi({ path: key, signal })),
    select: useCallback((answer: unknown) => dataOf(key, answer, schema), [key, schema]),
    enabled: isAlive && key !== '',
    refetchInterval: everyMs,
    staleTime: everyMs,
    placeholderData: keepPreviousData,
  });
  const { dataUpdatedAt: readAtMs, isPlaceholderData } = query;
  const isOverdue = useAtTime((nowMs) => !isPlaceholderData && nowMs - readAtMs > 2 * everyMs, false);
  const data = useMemo(() => (isOverdue ? noLongerLive(query.data) : query.data), [query.data, isOverdue]);
  const isLoading = query.isLoading || !isAlive;
  // Not copied: a page is drawn anew for what it reads of a query, and for nothing else.
  return Object.create(query, { data: { value: data }, isLoading: { value: isLoading } }) as typeof query;
}

/** Rulings R3: nothing stays live when it is older than twice its refresh. The browser was asleep or offline, or the server is gone. */
export const noLongerLive = <Data>(data: Data): Data =>
  ['live', 'estimated'].includes(String((data as { readonly state?: unknown } | undefined)?.state))
    ? { ...data, state: 'stale' }
    : data;
