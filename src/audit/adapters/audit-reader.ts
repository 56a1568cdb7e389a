import { sql, type ExpressionBuilder, type Kysely, type Selectable } from 'kysely';

import type { AuditQuery, ListedAuditEntry } from '../contract.ts';
import type { AuditReader } from '../ports.ts';
import type { AuditTables } from './tables.ts';

/** The port on PostgreSQL: keyset paging by the id, whose order is the order of writing. */
export function createAuditReader(db: Kysely<AuditTables>): AuditReader {
  return {
    list: async (query) => {
      const rows = await db
        .selectFrom('audit_entries')
        .selectAll()
        .where((entry) => entry.and(conditionsOf(entry, query)))
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute();
      return rows.map(toListed);
    },
  };
}

function conditionsOf(entry: ExpressionBuilder<AuditTables, 'audit_entries'>, query: AuditQuery) {
  const { action, actor, subject, from, to, before } = query;
  return [
    // As it is shown: 'Telegram configuration deleted'.
    ...(action === undefined ? [] : [entry('action', 'like', beginningOf(action.replaceAll(/\s+/g, '-')))]),
    ...(actor === undefined ? [] : [entry(sql`lower(actor_name)`, 'like', beginningOf(actor))]),
    ...(subject === undefined
      ? []
      : [
          entry.or([entry('subject_id', '=', subject), entry(sql`lower(subject_label)`, 'like', beginningOf(subject))]),
        ]),
    ...(from === undefined ? [] : [entry('at', '>=', new Date(from))]),
    // Entries are kept to the microsecond, and the last millisecond belongs to the span.
    ...(to === undefined ? [] : [entry('at', '<', new Date(new Date(to).getTime() + 1))]),
    ...(before === undefined ? [] : [entry('id', '<', before)]),
  ];
}

/** A pattern for LIKE in which the text stands for itself. */
const beginningOf = (text: string): string =>
  `${text
    .replaceAll('\0', '')
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const toListed = (row: Selectable<AuditTables['audit_entries']>): ListedAuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, name: row.actor_name },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id, label: row.subject_label },
  before: row.before,
  after: row.after,
});
