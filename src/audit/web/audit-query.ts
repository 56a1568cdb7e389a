import { useInfiniteQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { readData } from '../../web/read-data.ts';
import type { auditAnswer } from '../contract.ts';
import { filtersOf, type Filters } from './filters.ts';

type Page = z.infer<typeof auditAnswer>['data'];

const pageSize = 50;

function readPage(filters: Filters, before: string | null, signal: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({ ...filtersOf(filters), limit: String(pageSize) });
  if (before !== null) query.set('before', before);
  return readData<{ readonly data: Page }>(`/api/audit?${query}`, signal);
}

/** GET /api/audit, newest first, an older page at a time. Read anew whenever the tab opens. */
export const useAuditLog = (filters: Filters) =>
  useInfiniteQuery({
    queryKey: ['/api/audit', filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    staleTime: 0,
    // Offline is a failure to be told, not a wait without words.
    networkMode: 'always',
  });
