import { type Kysely, sql } from 'kysely';

import { keptSince, type Purge, purgeOf } from '../../platform/retention/purge.ts';
import type { StoredAlarm } from '../core/alarm-turn.ts';
import type { OwnerAlarmTables } from './tables.ts';

type Db = Kysely<OwnerAlarmTables>;

interface CheckOutcome {
  /** `next` null: nothing is stored of it any more. `words`: to be sent to the owner. */
  readonly changes: readonly {
    readonly alarm: string;
    readonly next: StoredAlarm | null;
    readonly words: string | null;
  }[];
  readonly words: readonly string[];
}

/** What the owner was told and is to be told, the same for every copy. Throws what the database throws. */
export interface AlarmStore {
  /** One check of all alarms, all or nothing and by one copy at a time. `lastCheckedAt` null: it is the first. */
  check(
    now: Date,
    decide: (alarms: ReadonlyMap<string, StoredAlarm>, lastCheckedAt: Date | null) => CheckOutcome,
  ): Promise<void>;
  /** The next message to send. One that may have been sent before gets `doubt` in front of its text for good. */
  next(doubt: string): Promise<{ readonly id: string; readonly text: string } | null>;
  sent(id: string): Promise<void>;
  /** It certainly did not arrive. */
  giveBack(id: string): Promise<void>;
}

/** One number for every copy on this database ("OWNR" in ASCII). */
const checkLock = 0x4f_57_4e_52;
/** Beside the alarms a row of its own: `since` is when they were last checked. */
const lastCheck = 'checked';

export function createAlarmStore(db: Db): AlarmStore {
  return {
    check: (now, decide) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${checkLock})`.execute(trx);
        const rows = await trx.selectFrom('owner_alarms').selectAll().execute();
        const alarms = new Map(
          rows.map((row) => [row.alarm, { isOn: row.is_on, since: row.since, turningSince: row.turning_since }]),
        );
        const { changes, words } = decide(alarms, alarms.get(lastCheck)?.since ?? null);
        for (const { alarm, next } of changes) {
          if (next !== null) await save(trx, alarm, next);
          else if (alarms.has(alarm)) await trx.deleteFrom('owner_alarms').where('alarm', '=', alarm).execute();
        }
        await save(trx, lastCheck, { isOn: false, since: now, turningSince: null });
        const texts = [...changes.flatMap((each) => each.words ?? []), ...words];
        if (texts.length > 0)
          await trx
            .insertInto('owner_messages')
            .values(texts.map((text) => ({ text })))
            .execute();
      }),
    next: async (doubt) => {
      const { rows } = await sql<{ id: string; text: string }>`
        update owner_messages set telling_since = clock_timestamp(),
          text = case when telling_since is null then text else ${doubt} || text end
        where id = (select min(id) from owner_messages where told_at is null)
        returning id, text`.execute(db);
      return rows[0] ?? null;
    },
    sent: async (id) => {
      await sql`update owner_messages set told_at = clock_timestamp() where id = ${id}`.execute(db);
    },
    giveBack: async (id) => {
      await db.updateTable('owner_messages').set({ telling_since: null }).where('id', '=', id).execute();
    },
  };
}

async function save(trx: Db, alarm: string, { isOn, since, turningSince }: StoredAlarm): Promise<void> {
  const columns = { is_on: isOn, since, turning_since: turningSince };
  await trx
    .insertInto('owner_alarms')
    .values({ alarm, ...columns })
    .onConflict((conflict) => conflict.column('alarm').doUpdateSet(columns))
    .execute();
}

/** What was sent is of no use after a while. */
export const ownerAlarmPurges = (db: Db): readonly Purge[] => [
  purgeOf(db, { table: 'owner_messages', isDue: sql`told_at < ${keptSince('owner_messages')}` }),
];
