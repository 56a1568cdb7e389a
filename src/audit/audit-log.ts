import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import { defineRoute, type Route } from '../http/route.ts';
import {
  auditAnswer,
  type AuditEntry,
  auditQuery,
  type AuditQuery,
  type AuditTrail,
  type ListedAuditEntry,
  type Redaction,
} from './contract.ts';

const longestText = 300;

/** PostgreSQL stores neither a zero character nor half a character pair; chat titles may hold both. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
const shortened = (text: string): string => storable(text.slice(0, longestText));

const asJson = (fields: AuditEntry['before']): string | null =>
  fields === null
    ? null
    : JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** Writes into its caller's transaction. A foreign text can shorten an entry but never fail the change that it records. */
export const auditTrail: AuditTrail = {
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
  redact: redactEntries,
};

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

export type Audit = ReturnType<typeof createAudit>;

/** Rulings R6: who changed what, before, after, when. */
export const createAudit = ({ db }: { readonly db: Kysely<Database> }) => ({
  routes: [listRoute(db)],
  trail: auditTrail,
});

const listRoute = (db: Kysely<Database>): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/audit',
    access: 'dashboard',
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

/** Replaces a person's name and id: of one deleted person as of another, so that no two entries can be connected. */
const deletedMember = 'deleted member';

/**
 * The one exception to a log that is otherwise append-only: what must be deleted by law must not stay in it.
 * What happened, when and by which admin stays; whom it was about goes. Rows are locked by their ids, so that two deletions at
 * once wait for each other instead of deadlocking. Raw SQL: Kysely has neither locks in a `with` nor these JSON functions.
 */
async function redactEntries(redaction: Redaction, trx: Trx): Promise<boolean> {
  const steps = [redactOwnActs, redactLists, redactSubject];
  let hasChanged = false;
  for (const step of steps) {
    const { numAffectedRows = 0n } = await step(trx, redaction);
    hasChanged ||= numAffectedRows > 0n;
  }
  return hasChanged;
}

/** What they did to themselves. What they did to a server, as one of its admins, concerns others too: it keeps who did it. */
const redactOwnActs = (trx: Trx, { actor, subject }: Redaction) =>
  sql`
    with found as (
      select id from audit_entries
      where actor_id = ${actor.userId} and subject_id = ${subject.id} and actor_kind = ${actor.kind}
      order by id for no key update
    )
    update audit_entries entry set actor_id = null, actor_name = ${deletedMember}
    from found where entry.id = found.id`.execute(trx);

/** A list in `after.members` holds texts of the form 'Name (id)'; a field of that name may be something else elsewhere. */
function redactLists(trx: Trx, { actor, placeId }: Redaction) {
  const ending = ` (${actor.userId})`;
  const isThem = sql`right(listed.text, ${ending.length}) = ${ending}`;
  const list = sql`jsonb_array_elements_text(after -> 'members') with ordinality listed (text, place)`;
  return sql`
    with found as (
      select id from audit_entries
      where subject_id = ${placeId} and jsonb_typeof(after -> 'members') = 'array'
        and case when jsonb_typeof(after -> 'members') = 'array' then exists (select from ${list} where ${isThem}) end
      order by id for no key update
    )
    update audit_entries entry set after = jsonb_set(after, '{members}', (
      select jsonb_agg(case when ${isThem} then ${deletedMember}::text else listed.text end order by listed.place) from ${list}
    ))
    from found where entry.id = found.id`.execute(trx);
}

/** Last: afterwards nothing says which entries were about them. */
const redactSubject = (trx: Trx, { subject, label, fields }: Redaction) =>
  sql`
    with found as (
      select id from audit_entries where subject_id = ${subject.id} and subject_kind = ${subject.kind}
      order by id for no key update
    )
    update audit_entries entry set
      subject_id = ${deletedMember},
      subject_label = ${label},
      before = before - ${[...fields]}::text[],
      after = after - ${[...fields]}::text[]
    from found where entry.id = found.id`.execute(trx);
