import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { auditPurges, createAuditTrail, listEntries } from './audit-log.ts';
import { auditAnswer, auditQuery } from './contract.ts';

export type Audit = ReturnType<typeof createAudit>;

/** Rulings R6: who changed what, before, after, when. */
export const createAudit = ({ db }: { readonly db: Kysely<Database> }) => ({
  routes: [listRoute(db)],
  /** What it keeps for a time only (src/shared/retention.ts). */
  purges: auditPurges(db),
  trail: createAuditTrail(),
});

const listRoute = (db: Kysely<Database>): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/audit',
    access: 'admin',
    summary: 'Who changed what and when: newest first',
    query: auditQuery,
    answer: auditAnswer,
    handle: async ({ query }) => {
      const found = await listEntries(db, query);
      const entries = found.slice(0, query.limit);
      const nextBefore = found.length > query.limit ? (entries.at(-1)?.id ?? null) : null;
      return { status: 200, body: { data: { entries, nextBefore } } };
    },
  });
