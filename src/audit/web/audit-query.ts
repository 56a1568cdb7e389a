import { useInfiniteQuery } from '@tanstack/react-query';
import { callApi } from '../../web/api-client.ts';
import { filtersOf, type Filters } from './filters.ts';
import type { JsonObject } from './difference.ts';

export type ActorKind = 'admin' | 'telegram' | 'system' | 'command';

/** One mutation: who did what to what, and when. */
export interface Entry {
  readonly id: string;
  /** ISO time. */
  readonly at: string;
  readonly actor: { readonly kind: ActorKind; readonly name: string };
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

interface Page {
  readonly entries: readonly Entry[];
  /** Where the next older page begins. null: there is none. */
  readonly nextBefore: string | null;
}

const pageSize = 50;

async function readPage(filters: Filters, before: string | null, signal: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({ ...filtersOf(filters), limit: String(pageSize) });
  if (before !== null) query.set('before', before);
  const { data } = (await callApi({ path: `/api/audit?${query}`, signal })) as { data: Page };
  return data;
}

/** GET /api/audit, newest first, an older page at a time. Read anew whenever the tab opens. */
export const useAuditLog = (filters: Filters) =>
  useInfiniteQuery({
    queryKey: ['/api/audit', filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    staleTime: 0,
  });
