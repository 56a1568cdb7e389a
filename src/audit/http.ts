import { defineRoute, type Route } from '../http/route.ts';
import { auditAnswer, auditQuery } from './contract.ts';
import type { AuditReader } from './ports.ts';

export function auditRoutes(reader: AuditReader): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/audit',
      access: 'admin',
      summary: 'Who changed what and when: newest first',
      query: auditQuery,
      answer: auditAnswer,
      handle: async ({ query }) => {
        const found = await reader.list(query);
        const entries = found.slice(0, query.limit);
        const nextBefore = found.length > query.limit ? (entries.at(-1)?.id ?? null) : null;
        return { status: 200, body: { data: { entries, nextBefore } } };
      },
    }),
  ];
}
