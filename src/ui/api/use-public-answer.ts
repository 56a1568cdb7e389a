import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
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
  const data = useUntilOverdue(query, everyMs);
  const isLoading = query.isLoading || !isAlive;
  // Not copied: a page is drawn anew for what it reads of a query, and for nothing else.
  return Object.create(query, { data: { value: data }, isLoading: { value: isLoading } }) as typeof query;
}

type Read<Data> = Pick<UseQueryResult<Data>, 'data' | 'dataUpdatedAt' | 'isPlaceholderData'>;

/** Rulings R3: nothing stays live when it is older than twice its refresh. The browser was asleep or offline, or the server is gone. */
export function useUntilOverdue<Data>(query: Read<Data>, everyMs: number): Data | undefined {
  const { data, dataUpdatedAt: readAtMs, isPlaceholderData } = query;
  const isOverdue = useAtTime((nowMs) => !isPlaceholderData && nowMs - readAtMs > 2 * everyMs, false);
  return useMemo(() => (isOverdue && data ? noLongerLive(data) : data), [data, isOverdue]);
}

/** Of an answer, which came as JSON, every figure at any depth. */
export const noLongerLive = <Data>(data: Data): Data =>
  JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === 'state' && (value === 'live' || value === 'estimated') ? 'stale' : value,
  ) as Data;
