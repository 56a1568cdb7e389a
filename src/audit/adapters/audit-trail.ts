import { transactionOf } from '../../db/open-transaction.ts';
import type { AuditEntry, AuditTrail } from '../contract.ts';
import { redactEntries } from './redact-entries.ts';
import type { AuditTables } from './tables.ts';

const longestText = 300;

/** PostgreSQL stores neither a zero character nor half a character pair; chat titles may hold both. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
const shortened = (text: string): string => storable(text.slice(0, longestText));

const asJson = (fields: AuditEntry['before']): string | null =>
  fields === null
    ? null
    : JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** The port on PostgreSQL. A foreign text can shorten an entry but never fail the mutation that it tells of. */
export function createAuditTrail(): AuditTrail {
  return {
    record: async ({ actor, action, subject, before, after }, transaction) => {
      await transactionOf<AuditTables>(transaction)
        .insertInto('audit_entries')
        .values({
          actor_kind: actor.kind,
          actor_id: 'userId' in actor ? actor.userId : null,
          actor_name: shortened(actor.name),
          action,
          subject_kind: subject.kind,
          subject_id: shortened(subject.id),
          subject_label: shortened(subject.label),
          before: asJson(before),
          after: asJson(after),
        })
        .execute();
    },
    redact: redactEntries,
  };
}
