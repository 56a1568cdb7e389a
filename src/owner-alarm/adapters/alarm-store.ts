import { type Kysely, sql } from 'kysely';

import { keptSince, type Purge, purgeOf } from '../../platform/retention/purge.ts';
import type { AlarmStore } from '../ports.ts';
import type { OwnerAlarmTables } from './tables.ts';

type Db = Kysely<OwnerAlarmTables>;

/** One number for every copy on this database ("OWNR" in ASCII): looks come one after the other. */
const lookLock = 0x4f_57_4e_52;
/** A copy that ended while it was telling holds the others up for so long. */
const tellingSeconds = 60;

/** The port on PostgreSQL. */
export function createAlarmStore(db: Db): AlarmStore {
  return {
    look: (alarms, turn) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${lookLock})`.execute(trx);
        const rows = await trx.selectFrom('owner_alarms').selectAll().execute();
        for (const alarm of alarms) {
          const row = rows.find((each) => each.alarm === alarm);
          const stored =
            row === undefined ? null : { isOn: row.is_on, since: row.since, turningSince: row.turning_since };
          const { next, words } = turn(alarm, stored);
          if (next === null && stored !== null)
            await trx.deleteFrom('owner_alarms').where('alarm', '=', alarm).execute();
          if (next !== null) await save(trx, alarm, next);
          if (words !== null) await trx.insertInto('owner_messages').values({ text: words }).execute();
        }
      }),
    tellOnce: (key, { from, to }, text) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${lookLock})`.execute(trx);
        const row = await trx.selectFrom('owner_alarms').select('since').where('alarm', '=', key).executeTakeFirst();
        // Of several copies that noticed the same, the first one tells it.
        if (row !== undefined && row.since >= from) return;
        await save(trx, key, { isOn: false, since: to, turningSince: null });
        await trx.insertInto('owner_messages').values({ text }).execute();
      }),
    take: async (doubt) => {
      const { rows } = await sql<{ id: string; text: string }>`
        with next as (
          select id, telling_since from owner_messages where told_at is null order by id limit 1 for update skip locked
        )
        update owner_messages m set telling_since = clock_timestamp(),
          text = case when next.telling_since is null then m.text else ${doubt} || m.text end
        from next
        where m.id = next.id and (next.telling_since is null
          or next.telling_since < clock_timestamp() - ${tellingSeconds} * interval '1 second')
        returning m.id, m.text`.execute(db);
      const [row] = rows;
      return row ?? null;
    },
    told: async (id) => {
      await sql`update owner_messages set told_at = clock_timestamp() where id = ${id}`.execute(db);
    },
    giveBack: async (id) => {
      await sql`update owner_messages set telling_since = null where id = ${id} and told_at is null`.execute(db);
    },
  };
}

async function save(
  trx: Db,
  alarm: string,
  { isOn, since, turningSince }: { readonly isOn: boolean; readonly since: Date; readonly turningSince: Date | null },
): Promise<void> {
  const columns = { is_on: isOn, since, turning_since: turningSince };
  await trx
    .insertInto('owner_alarms')
    .values({ alarm, ...columns })
    .onConflict((conflict) => conflict.column('alarm').doUpdateSet(columns))
    .execute();
}

/** What was told is of no use to anybody after a while. */
export const ownerAlarmPurges = (db: Db): readonly Purge[] => [
  purgeOf(db, { table: 'owner_messages', isDue: sql`told_at < ${keptSince('owner_messages')}` }),
];
