import { type Kysely, sql } from 'kysely';

import { keptSince, type Purge, purgeOf } from '../../platform/retention/purge.ts';
import type { AuditTables } from './tables.ts';

/** The log of changes has an end: it names people. */
export const auditPurges = (db: Kysely<AuditTables>): readonly Purge[] => [
  purgeOf(db, { table: 'audit_entries', isDue: sql`at < ${keptSince('audit_entries')}`, oldestBy: 'at' }),
];
