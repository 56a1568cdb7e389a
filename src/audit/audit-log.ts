import type { ExpressionBuilder, Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import { type Purge, purgeOf } from '../retention/purge.ts';
import { defineRoute, type Route } from '../http/route.ts';
import {
  auditAnswer,
  type AuditEntry,
  auditQuery,
  type AuditQuery,
  type ListedAuditEntry,
  type Redaction,
} from './contract.ts';
import { redactEntries } from './redact-entries.ts';

const longestText = 300;

/** PostgreSQL stores neither a zero character nor half a character pair; chat titles may hold both. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
const shortened = (text: string): string => storable(text.slice(0, longestText));

const asJson = (fields: AuditEntry['before']): string | null =>
  fields === null
    ? null
    : JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** Writes into its caller's transaction. A foreign text can shorten an entry but never fail the change that it records. */
export const createAuditTrail = () => ({
  record: async ({ actor, action, subject, before, after }: AuditEntry, trx: Trx) => {
    await trx
      .insertInto('auditEntries')
      .values({
        actorKind: actor.kind,
        actorId: 'userId' in actor ? actor.userId : null,
        actorName: shortened(actor.name),
        action,
        subjectKind: subject.kind,
        subjectId: shortened(subject.id),
        subjectLabel: shortened(subject.label),
        before: asJson(before),
        after: asJson(after),
      })
      .execute();
  },
  redact: (redaction: Redaction, trx: Trx) => redactEntries(redaction, trx),
});

/** Newest first, at most `limit` + 1 entries: the one too many says that there are older ones. */
async function listEntries(db: Kysely<Database>, query: AuditQuery): Promise<readonly ListedAuditEntry[]> {
  const rows = await db
    .selectFrom('auditEntries')
    .selectAll()
    .where((entry) => entry.and(conditionsOf(entry, query)))
    // Keyset paging: the order of ids is the order of writing.
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, name: row.actorName },
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId, label: row.subjectLabel },
    before: row.before as ListedAuditEntry['before'],
    after: row.after as ListedAuditEntry['after'],
  }));
}

function conditionsOf(entry: ExpressionBuilder<Database, 'auditEntries'>, query: AuditQuery) {
  const { action, actor, subject, from, to, before } = query;
  return [
    // As it is shown: 'Telegram configuration deleted'.
    ...(action === undefined ? [] : [entry('action', 'like', beginningOf(action.replaceAll(/\s+/g, '-')))]),
    ...(actor === undefined ? [] : [entry(entry.fn('lower', ['actorName']), 'like', beginningOf(actor))]),
    ...(subject === undefined
      ? []
      : [
          entry.or([
            entry('subjectId', '=', subject),
            entry(entry.fn('lower', ['subjectLabel']), 'like', beginningOf(subject)),
          ]),
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

/** The log of changes has an end: it names people. */
export const auditPurges = (db: Kysely<Database>): readonly Purge[] => [
  purgeOf(db, { table: 'audit_entries', oldestBy: 'at' }),
];

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
