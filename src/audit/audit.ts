import type { Kysely } from 'kysely';

import type { Purge } from '../platform/retention/purge.ts';
import type { Route } from '../http/route.ts';
import { createAuditReader } from './adapters/audit-reader.ts';
import { createAuditTrail } from './adapters/audit-trail.ts';
import { auditPurges } from './adapters/purges.ts';
import type { AuditTables } from './adapters/tables.ts';
import type { AuditTrail } from './contract.ts';
import { auditRoutes } from './http.ts';

export interface Audit {
  readonly routes: readonly Route[];
  /** What it keeps for a time only (src/shared/retention.ts). */
  readonly purges: readonly Purge[];
  /** What other capabilities call through a port of their own. */
  readonly trail: AuditTrail;
}

/** Rulings R6: who changed what, before, after, when. */
export function createAudit({ db }: { readonly db: Kysely<AuditTables> }): Audit {
  return { routes: auditRoutes(createAuditReader(db)), purges: auditPurges(db), trail: createAuditTrail() };
}
