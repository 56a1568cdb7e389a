import * as z from 'zod/mini';
import { list, oneOf, orNull, part, rowId, text, textOrNone, time } from '../../ui/api/answer-schema.ts';
import { useAnswerPages } from '../../ui/api/use-answer.ts';
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

/** Newest first, an older page at a time. Read anew whenever the tab opens. */
export const useAuditLog = (filters: Filters) =>
  useAnswerPages({
    key: ['/api/audit', filters],
    schema: auditPage,
    pathOf: (before) =>
      `/api/audit?${new URLSearchParams({ ...filtersOf(filters), limit: '50', ...(before !== null && { before }) })}`,
    cursorOf: ({ nextBefore }) => nextBefore,
    staleTime: 0,
  });
