import { hostname } from 'node:os';

import { type Kysely, sql, type Transaction } from 'kysely';

import type { ActivityReading, PollClaim, PollStore } from '../activity-ports.ts';
import { insertNewEvents } from './event-rows.ts';
import { handOver, tellUntoldMints } from './hand-over.ts';
import type { ActivityTables } from './tables.ts';
import { columnsOfNow, toProgress, toTracked, type TrackedRow } from './tracked-row.ts';

export interface PollTimes {
  /** The next poll of a collection is due after a random time between these. */
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  /** A copy that dies at work holds its collections up for so long. Longer than one answer of the marketplace may take. */
  readonly claimMs: number;
}

/** The port on PostgreSQL. Due times and claims are the database's time alone: copies need no common clock. */
export function createPollStore(db: Kysely<ActivityTables>, times: PollTimes): PollStore {
  const holder = `${hostname()} ${process.pid}`;
  return {
    claim: async (countMax, listeners) => {
      const { rows } = await claimDue(db, { holder, countMax, listeners, times });
      return rows.map((row) => ({ collection: toTracked(row), progress: toProgress(row), token: tokenOf(row) }));
    },
    renew: async (claim) => {
      const { numAffectedRows } = await sql`
        update tracked_collections set claimed_until = clock_timestamp() + ${milliseconds(times.claimMs)}
        where ${isHeld(claim)}`.execute(db);
      return numAffectedRows === 1n;
    },
    record: (claim, reading, listeners) =>
      db.transaction().execute(async (transaction) => {
        const before = await lock(transaction, claim);
        if (before === undefined) return null;
        const { isSeeded } = claim.progress;
        const { events, transfers, row } = await storeReading(transaction, claim.collection.id, reading, {
          isPast: !isSeeded,
          times,
        });
        const [was, collection] = [toTracked(before), toTracked(row)];
        if (!isSeeded) {
          await tellUntoldMints(transaction, was, collection, listeners);
          return [];
        }
        if (events.length + transfers.length === 0 && !before.has_backlog) return [];
        const gapMs = Math.max(0, before.gap_ms ?? 0);
        const news = { collection, floorBeforeMist: was.floorMist, events, transfers, gapMs };
        return handOver(transaction, news, listeners);
      }),
    recordFailure: async (claim, reason) => {
      await sql`
        update tracked_collections set
          poll_due_at = ${nextDue(times)}, claimed_by = null, claimed_until = null,
          last_checked_at = clock_timestamp(), failing_since = coalesce(failing_since, clock_timestamp()),
          -- What opened the breaker says more than that it is open.
          failure_reason = case when ${reason} = 'breaker-open' then coalesce(failure_reason, ${reason}) else ${reason} end
        where ${isHeld(claim)}`.execute(db);
    },
    release: async (claim) => {
      await sql`
        update tracked_collections set claimed_by = null, claimed_until = null where ${isHeld(claim)}`.execute(db);
    },
  };
}

interface Wanted {
  readonly holder: string;
  readonly countMax: number;
  readonly listeners: readonly string[];
  readonly times: PollTimes;
}

/**
 * A time further ahead than any of ours can be is that of a clock which was set back since: it counts as passed.
 * `no key update`: whoever begins to watch a collection (a foreign key's lock) waits for no poll.
 */
function claimDue(db: Kysely<ActivityTables>, { holder, countMax, listeners, times }: Wanted) {
  const { pollMaxMs, claimMs } = times;
  return sql<TrackedRow>`
    with awake as (
      select wanted.name from unnest(${[...listeners]}::text[]) as wanted(name)
      where not exists (select 1 from activity_listeners paused where paused.name = wanted.name and paused.is_paused)
    ), due as (
      select id from tracked_collections
      where (poll_due_at <= now() or poll_due_at > now() + ${milliseconds(2 * pollMaxMs)})
        and (claimed_until is null or claimed_until <= now() or claimed_until > now() + ${milliseconds(2 * claimMs)})
        and exists (
          select 1 from collection_watches watches
          where watches.tracked_collection_id = tracked_collections.id and watches.listener in (select name from awake)
        )
      order by poll_due_at limit ${countMax}
      for no key update skip locked
    )
    update tracked_collections set
      claimed_by = ${holder}, claim_token = claim_token + 1,
      claimed_until = clock_timestamp() + ${milliseconds(claimMs)}
    from due where tracked_collections.id = due.id
    returning tracked_collections.*`.execute(db);
}

type LockedRow = TrackedRow & { readonly has_backlog: boolean; readonly gap_ms: number | null };

/** The row for the rest of the transaction; undefined when the claim is lost or somebody began the collection anew. */
async function lock(transaction: Kysely<ActivityTables>, claim: PollClaim): Promise<LockedRow | undefined> {
  const { rows } = await sql<LockedRow>`
    select tracked_collections.*,
      exists (select 1 from activity_backlogs where tracked_collection_id = tracked_collections.id) as has_backlog,
      (extract(epoch from clock_timestamp() - caught_up_at) * 1000)::float8 as gap_ms
    from tracked_collections
    where ${isHeld(claim)} and (seeded_at is not null) = ${claim.progress.isSeeded}
    for no key update`.execute(transaction);
  return rows[0];
}

/** Events, facts and progress of one reading; the row is free again and due at its next turn. */
export async function storeReading(
  transaction: Transaction<ActivityTables>,
  id: bigint,
  { now, listedCount, drafts, progress }: ActivityReading,
  { isPast, times }: { readonly isPast: boolean; readonly times: PollTimes },
) {
  const news = await insertNewEvents(transaction, id, drafts);
  if (isPast) {
    // What was to be told before a new beginning is history now.
    await transaction.deleteFrom('activity_backlogs').where('tracked_collection_id', '=', id.toString()).execute();
  }
  const time = sql<Date>`clock_timestamp()`;
  const row = await transaction
    .updateTable('tracked_collections')
    .where('id', '=', id.toString())
    .set({
      ...columnsOfNow(now, listedCount),
      known_from: progress.knownFrom,
      cursor_at: progress.cursorAt,
      is_behind: progress.isBehind,
      ...(isPast ? { seeded_at: time } : {}),
      ...(progress.isBehind ? {} : { caught_up_at: time }),
      poll_count: sql`poll_count + 1`,
      poll_due_at: progress.isBehind ? time : nextDue(times),
      claimed_by: null,
      claimed_until: null,
      last_checked_at: time,
      last_succeeded_at: time,
      failing_since: null,
      failure_reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...news, row };
}

const milliseconds = (count: number) => sql`${count} * interval '1 millisecond'`;

/** Chance spreads the polls: collections that were added together are not asked for together for ever. */
const nextDue = ({ pollMinMs, pollMaxMs }: PollTimes) =>
  sql<Date>`clock_timestamp() + ${milliseconds(pollMinMs + Math.random() * (pollMaxMs - pollMinMs))}`;

const isHeld = ({ collection, token }: PollClaim) =>
  sql<boolean>`tracked_collections.id = ${collection.id.toString()} and claim_token = ${token.toString()}
    and claimed_until is not null`;

const tokenOf = ({ claim_token: token }: TrackedRow): bigint => BigInt(token);
