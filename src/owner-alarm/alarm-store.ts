import type { Kysely } from 'kysely';

import { databaseNow } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import { type Purge, purgeOf } from '../retention/purge.ts';
import type { StoredAlarm } from './core/alarm.ts';

type Db = Kysely<Database>;
export type AlarmStore = ReturnType<typeof createAlarmStore>;

interface CheckOutcome {
  /** `next` null: nothing is stored of it any more. `words`: to be sent to the owner. */
  readonly changes: readonly {
    readonly alarm: string;
    readonly next: StoredAlarm | null;
    readonly words: string | null;
  }[];
  readonly words: readonly string[];
}

/** One number for every copy on this database ("OWNR" in ASCII). */
const checkLock = 0x4f_57_4e_52;
/** Beside the alarms a row of its own: `since` is when they were last checked. */
const lastCheck = 'checked';

/** What the owner was sent and is to be sent, the same for every copy. Throws what the database throws. */
export const createAlarmStore = (db: Db) => ({
  /** One check of all alarms, all or nothing and by one copy at a time. `lastCheckedAt` null: it is the first. */
  check: (
    now: Date,
    decide: (alarms: ReadonlyMap<string, StoredAlarm>, lastCheckedAt: Date | null) => CheckOutcome,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await trx.selectNoFrom((is) => is.fn('pg_advisory_xact_lock', [is.lit(checkLock)]).as('locked')).execute();
      const rows = await trx.selectFrom('ownerAlarms').selectAll().execute();
      const alarms = new Map(rows.map(({ alarm, ...stored }) => [alarm, stored]));
      const { changes, words } = decide(alarms, alarms.get(lastCheck)?.since ?? null);
      for (const { alarm, next } of changes) {
        if (next !== null) await save(trx, alarm, next);
        else if (alarms.has(alarm)) await trx.deleteFrom('ownerAlarms').where('alarm', '=', alarm).execute();
      }
      await save(trx, lastCheck, { isOn: false, since: now, turningSince: null });
      const texts = [...changes.flatMap((each) => each.words ?? []), ...words];
      if (texts.length > 0)
        await trx
          .insertInto('ownerMessages')
          .values(texts.map((text) => ({ text })))
          .execute();
    }),
  /** The next message to send. One that may have been sent before gets `doubt` in front of its text for good. */
  next: async (doubt: string): Promise<{ readonly id: string; readonly text: string } | null> => {
    const message = await db
      .updateTable('ownerMessages')
      .set((message) => ({
        tellingSince: databaseNow,
        text: message
          .case()
          .when('tellingSince', 'is', null)
          .then(message.ref('text'))
          .else(message(message.val(doubt), '||', message.ref('text')))
          .end(),
      }))
      .where('id', '=', (row) =>
        row
          .selectFrom('ownerMessages')
          .select(({ fn }) => fn.min('id').as('first'))
          .where('toldAt', 'is', null),
      )
      .returning(['id', 'text'])
      .executeTakeFirst();
    return message ?? null;
  },
  sent: async (id: string): Promise<void> => {
    await db.updateTable('ownerMessages').set({ toldAt: databaseNow }).where('id', '=', id).execute();
  },
  /** It certainly did not arrive. */
  giveBack: async (id: string): Promise<void> => {
    await db.updateTable('ownerMessages').set({ tellingSince: null }).where('id', '=', id).execute();
  },
});

async function save(trx: Trx, alarm: string, stored: StoredAlarm): Promise<void> {
  await trx
    .insertInto('ownerAlarms')
    .values({ alarm, ...stored })
    .onConflict((conflict) => conflict.column('alarm').doUpdateSet(stored))
    .execute();
}

/** What was sent is of no use after a while. */
export const ownerAlarmPurges = (db: Db): readonly Purge[] => [
  purgeOf(db, { table: 'owner_messages', oldestBy: 'told_at' }),
];
