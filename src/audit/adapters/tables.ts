import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { ListedAuditEntry } from '../contract.ts';

/** Written as JSON text, read as a JSON value. */
type JsonFields = ColumnType<ListedAuditEntry['before'], string | null, never>;

/** Row type of migrations/0004-accounts.sql. */
export interface AuditTables {
  audit_entries: {
    /** int8: a decimal string on the wire. */
    id: GeneratedAlways<string>;
    at: Generated<Date>;
    actor_kind: ListedAuditEntry['actor']['kind'];
    actor_id: string | null;
    actor_name: string;
    action: string;
    subject_kind: string;
    subject_id: string;
    subject_label: string;
    before: JsonFields;
    after: JsonFields;
  };
}
