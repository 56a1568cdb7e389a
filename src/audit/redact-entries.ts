import { sql } from 'kysely';

import type { Trx } from '../db/transaction.ts';
import type { Redaction } from './contract.ts';

/** Replaces a person's name and id: of one deleted person as of another, so that no two entries can be connected. */
const deletedMember = 'deleted member';

/**
 * The one exception to a log that is otherwise append-only: what must be deleted by law must not stay in it.
 * What happened, when and by which admin stays; whom it was about goes. Rows are locked by their ids, so that two deletions at
 * once wait for each other instead of deadlocking. Raw SQL: Kysely has neither locks in a `with` nor these JSON functions.
 */
export async function redactEntries(redaction: Redaction, trx: Trx): Promise<boolean> {
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
