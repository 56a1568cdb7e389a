import { keepPreviousData, QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type * as z from 'zod/mini';

import { useAtTime } from '../age.tsx';
import { useIsHydrated } from '../server-written.tsx';
import { dataOf, fullAnswerOf } from './answer-schema.ts';
import { againAfterMs, callApi } from './api-client.ts';

/**
 * Specification 7, the data layer's defaults: no automatic refetch interval, no refetch on window focus, data never
 * stale, no retries for queries or mutations. A query without a function of its own GETs the path that is its key.
 */
export const createQueryClient = (): QueryClient =>
  // Being offline is shown as a failure; by default the library waits in silence until the network returns.
  new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => callApi({ path: String(queryKey[0]), signal }),
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        retry: false,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/**
 * The `data` of a public call, by default reloaded every minute; `path` null: nothing to load yet. The whole answer is cached once per
 * path, and each reader applies its own schema. When the path changes, the old data stays until the new answer arrives.
 */
export function usePublicAnswer<Schema extends z.ZodMiniType>(
  path: string | null,
  schema: Schema,
  { everyMs = 60_000 }: { readonly everyMs?: number } = {},
) {
  // The prerendered page does not know its address: only the browser sends the request.
  const isHydrated = useIsHydrated();
  const key = path ?? '';
  const query = useQuery({
    queryKey: [key, 'whole'],
    // An answer without `data` fails here, so that the previous one stays, with its age.
    queryFn: async ({ signal }) => fullAnswerOf(key, await callApi({ path: key, signal })),
    select: useCallback((answer: unknown) => dataOf(key, answer, schema), [key, schema]),
    enabled: isHydrated && key !== '',
    refetchInterval: ({ state }) => againAfterMs(state.error, everyMs),
    staleTime: everyMs,
    placeholderData: keepPreviousData,
  });
  const data = useStaleWhenOverdue(query, everyMs);
  const isLoading = query.isLoading || !isHydrated;
  // Not a copy: a component is rendered again only for the fields of a query that it reads.
  return Object.create(query, { data: { value: data }, isLoading: { value: isLoading } }) as typeof query;
}

type Read<Data> = Pick<UseQueryResult<Data>, 'data' | 'dataUpdatedAt' | 'isPlaceholderData'>;

/** Rulings R3: nothing stays live once older than twice its refresh: the browser was asleep or offline, or the server is gone. */
export function useStaleWhenOverdue<Data>(query: Read<Data>, everyMs: number): Data | undefined {
  const { data, dataUpdatedAt: readAtMs, isPlaceholderData } = query;
  const isOverdue = useAtTime((nowMs) => !isPlaceholderData && nowMs - readAtMs > 2 * everyMs, false);
  return useMemo(() => (isOverdue && data ? markStale(data) : data), [data, isOverdue]);
}

/** Marks the figures of a JSON answer as stale, at any depth. */
export const markStale = <Data>(data: Data): Data =>
  JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === 'state' && (value === 'live' || value === 'estimated') ? 'stale' : value,
  ) as Data;
