import { type Kysely, sql } from 'kysely';

import { keptSince, type Purge, purgeOf } from '../../platform/retention/purge.ts';
import type { AuthTables } from './tables.ts';

/** What is over of sign-ins. */
export const authPurges = (db: Kysely<AuthTables>): readonly Purge[] => [
  purgeOf(db, {
    table: 'sessions',
    isDue: sql`idle_expires_at <= ${keptSince('sessions')}`,
    oldestBy: 'idle_expires_at',
  }),
  purgeOf(db, {
    table: 'login_attempts',
    isDue: sql`window_ends_at <= ${keptSince('login_attempts')}`,
    oldestBy: 'window_ends_at',
  }),
];
