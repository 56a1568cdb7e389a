import { useInfiniteQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { auditPage } from './audit-answers.ts';
import { filtersOf, type Filters } from './filters.ts';

type Page = z.infer<typeof auditPage>;

const pageSize = 50;

function readPage(filters: Filters, before: string | null, signal: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({ ...filtersOf(filters), limit: String(pageSize) });
  if (before !== null) query.set('before', before);
  return readAnswer(`/api/audit?${query}`, auditPage, signal);
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
