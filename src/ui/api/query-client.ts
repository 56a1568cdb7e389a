import { QueryClient } from '@tanstack/react-query';
import { callApi } from './api-client.ts';

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
