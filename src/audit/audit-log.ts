import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely';
import { z } from 'zod';

import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { storable } from '../shared/foreign-text.ts';
import { auditAnswer, type AuditEntry, type AuditTrail, type ListedAuditEntry, type Redaction } from './contract.ts';

const longestText = 300;

const shortened = (text: string): string => storable(text.slice(0, longestText));

const asJson = (fields: AuditEntry['before']): string | null =>
  fields === null
    ? null
    : JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** Writes in the caller's transaction. Text from outside may be cut, but never makes the recorded change fail. */
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

/** What a person types to filter: the beginning of a text. */
const narrowing = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\0]*$/);

/** GET /api/audit (rulings R6): newest first, one page at a time. */
export const auditQuery = z.strictObject({
  action: narrowing.optional().describe('Beginning of the action, e.g. telegram-configuration'),
  actor: narrowing.optional().describe("Beginning of the actor's name; `admin:chief`: exactly that one"),
  subject: narrowing.optional().describe("The subject's id, or the beginning of its label; `user:2`: exactly that one"),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional().describe('Inclusive, to the millisecond'),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'The field "before" of the query is the number in nextBefore of the previous page.')
    .optional()
    .describe('`nextBefore` of the previous page'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
type AuditQuery = z.infer<typeof auditQuery>;

/** Newest first. Reads `limit` + 1 entries: the extra one shows that there are older ones. */
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
  const conditions: Expression<SqlBool>[] = [];
  // By the database, as for the stored names: JavaScript has another lower case for 'İbrahim' and 'ΣΊΣΥΦΟΣ'.
  const lower = (text: string) => entry.fn<string>('lower', [entry.val(text)]);
  // People type an action as the page shows it: 'Telegram configuration deleted'.
  if (action !== undefined) {
    conditions.push(entry('action', 'like', lower(beginningOf(action.replaceAll(/\s+/g, '-')))));
  }
  if (actor !== undefined) {
    const name = entry.fn<string>('lower', ['actorName']);
    const exact = kindAnd(actor);
    conditions.push(
      exact === null
        ? entry(name, 'like', lower(beginningOf(actor)))
        : entry.and([
            entry(entry.ref('actorKind').$castTo<string>(), '=', exact.kind),
            entry(name, '=', lower(exact.rest)),
          ]),
    );
  }
  if (subject !== undefined) {
    const label = entry(entry.fn('lower', ['subjectLabel']), 'like', lower(beginningOf(subject)));
    const exact = kindAnd(subject);
    conditions.push(
      exact === null
        ? entry.or([entry('subjectId', '=', subject), label])
        : entry.and({ subjectKind: exact.kind, subjectId: exact.rest }),
    );
  }
  if (from !== undefined) conditions.push(entry('at', '>=', new Date(from)));
  // Times are stored to the microsecond, and the whole last millisecond is included.
  if (to !== undefined) conditions.push(entry('at', '<', new Date(new Date(to).getTime() + 1)));
  if (before !== undefined) conditions.push(entry('id', '<', before));
  return conditions;
}

/** `user:2`, as a press on a name in the log filters; null: typed by a person. */
function kindAnd(text: string): { readonly kind: string; readonly rest: string } | null {
  const [, kind, rest] = /^([a-z]+(?:-[a-z]+)*):(\S.*)$/s.exec(text) ?? [];
  return kind === undefined || rest === undefined ? null : { kind, rest };
}

/** A LIKE pattern for texts that begin with this one, taken literally. */
const beginningOf = (text: string): string => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

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
    summary: 'Who changed what and when, newest first',
    query: auditQuery,
    answer: auditAnswer,
    handle: async ({ query }) => {
      const found = await listEntries(db, query);
      const entries = found.slice(0, query.limit);
      const nextBefore = found.length > query.limit ? (entries.at(-1)?.id ?? null) : null;
      return { data: { entries, nextBefore } };
    },
  });

/** Replaces the name and id of every deleted person, so that no two entries can be connected. */
const deletedMember = 'deleted member';

/**
 * The only exception to an append-only log: data that must be deleted by law. What happened, when and by which admin stays; whom
 * it was about is removed. Rows are locked in the order of their ids, so that two deletions at once wait for each other instead of
 * deadlocking. Raw SQL: Kysely has neither locks in a `with` nor these JSON functions.
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

/** Entries about what they did to themselves. What they did to a server as one of its admins concerns others, so it keeps their name. */
const redactOwnActs = (trx: Trx, { actor, subject }: Redaction) =>
  sql`
    with found as (
      select id from audit_entries
      where actor_id = ${actor.userId} and subject_id = ${subject.id} and actor_kind = ${actor.kind}
      order by id for no key update
    )
    update audit_entries entry set actor_id = null, actor_name = ${deletedMember}
    from found where entry.id = found.id`.execute(trx);

/** `after.members` is a list of 'Name (id)' in some entries and something else in others. */
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

/** Must run last: afterwards nothing shows which entries were about them. */
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
