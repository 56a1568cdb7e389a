import type { Kysely } from 'kysely';
import type { Pool } from 'pg';

import type { Audit } from './audit/audit.ts';
import type { Auth } from './auth/auth.ts';
import type { Collections } from './collections/collections.ts';
import type { Config } from './config.ts';
import type { Discord } from './discord/discord.ts';
import type { OwnerAlarmTables } from './owner-alarm/adapters/tables.ts';
import type { Leases } from './platform/leases.ts';
import type { Logger } from './platform/logger.ts';
import { createPurgeJob, type RetentionTables } from './platform/retention/purge-job.ts';
import { systemClock as clock } from './platform/system-clock.ts';
import type { Metrics } from './server/metrics.ts';
import type { Telegram } from './telegram/telegram.ts';
import type { Treasury } from './treasury/treasury.ts';
import { createOwnerWatch } from './watch-for-owner.ts';

interface UpkeepDeps {
  readonly config: Config;
  readonly db: Kysely<OwnerAlarmTables & RetentionTables>;
  readonly pool: Pool;
  readonly leases: Leases;
  readonly auth: Auth;
  readonly audit: Audit;
  readonly treasury: Treasury;
  readonly collections: Collections;
  readonly telegram: Telegram;
  readonly discord: Discord;
  readonly onPurged: Metrics['onPurged'];
  readonly log: Logger;
}

/** What goes on behind the serving: what is over goes, and the owner is told what fails. */
export function createUpkeep(deps: UpkeepDeps): { readonly start: () => void; readonly stop: () => Promise<void> } {
  const { auth, audit, treasury, collections, telegram, discord } = deps;
  const owner = createOwnerWatch({ ...deps, clock });
  const withPurges = [auth, audit, treasury, telegram, discord, owner];
  const purges = [...collections.purges(telegram), ...withPurges.flatMap((each) => each.purges)];
  const jobs = [createPurgeJob({ ...deps, purges, clock }), owner];
  return {
    start: () => jobs.forEach((job) => job.start()),
    stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))),
  };
}
