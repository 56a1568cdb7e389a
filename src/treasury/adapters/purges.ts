import { type Kysely, sql } from 'kysely';

import { keptSince, type Purge, purgeOf } from '../../platform/retention/purge.ts';
import type { TreasuryTables } from './tables.ts';

const dayOf = (hour: string) => sql`date_trunc('day', ${sql.ref(hour)}, 'UTC')`;

/** Value over time by the hour, then by the day: of each day that is wholly over its last point stays for ever. */
export const treasuryPurges = (db: Kysely<TreasuryTables>): readonly Purge[] => [
  purgeOf(db, {
    table: 'treasury_history',
    isDue: sql`hour < date_trunc('day', ${keptSince('treasury_history')}, 'UTC') and exists (
      select 1 from treasury_history later
      where later.network = treasury_history.network and later.treasury_address = treasury_history.treasury_address
        and later.hour > treasury_history.hour and ${dayOf('later.hour')} = ${dayOf('treasury_history.hour')})`,
    oldestBy: 'hour',
  }),
  // A coin that is held is looked at every day. While nothing can be read at all, nothing grows old beside anything else.
  purgeOf(db, {
    table: 'coin_metadata',
    isDue: sql`read_at < ${keptSince('coin_metadata')} and read_at < (
      select max(newest.read_at) - interval '30 days' from coin_metadata newest
      where newest.network = coin_metadata.network)`,
  }),
];
