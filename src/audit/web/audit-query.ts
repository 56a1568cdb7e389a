import * as z from 'zod/mini';
import { useInfiniteQuery } from '@tanstack/react-query';
import { list, oneOf, orNull, part, readAnswer, rowId, text, textOrNone, time } from '../../ui/api/answer-schema.ts';
import { type Filters, filtersOf } from './filters.tsx';

const fields = orNull(z.record(z.string(), z.unknown()));

const auditEntry = z.object({
  id: rowId,
  at: time,
  actor: part({ kind: oneOf('admin', 'user', 'telegram', 'discord', 'system', 'command'), name: textOrNone }),
  action: textOrNone,
  subject: part({ id: text, label: textOrNone }),
  before: fields,
  after: fields,
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** GET /api/audit (rulings R6). */
export const auditPage = z.object({ entries: list(auditEntry), nextBefore: orNull(rowId) });

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
