import type { Kysely } from 'kysely';
import type { Pool } from 'pg';

import type { Audit } from './audit/audit.ts';
import type { Auth } from './accounts/auth.ts';
import type { Collections } from './market/collections.ts';
import type { Config } from './config.ts';
import type { Discord } from './discord/discord.ts';
import type { OwnerAlarmTables } from './owner-alarm/adapters/tables.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './platform/logger.ts';
import { purgeJob, type RetentionTables } from './platform/retention/purge-job.ts';
import { systemClock as clock } from './platform/system-clock.ts';
import type { Metrics } from './http/metrics.ts';
import type { Telegram } from './telegram/telegram.ts';
import type { Treasury } from './treasury/treasury.ts';
import { createOwnerWatch } from './watch-for-owner.ts';

interface UpkeepDeps {
  readonly config: Config;
  readonly db: Kysely<OwnerAlarmTables & RetentionTables>;
  readonly pool: Pool;
  readonly auth: Auth;
  readonly audit: Audit;
  readonly treasury: Treasury;
  readonly collections: Collections;
  readonly telegram: Telegram;
  readonly discord: Discord;
  readonly onPurged: Metrics['onPurged'];
  readonly log: Logger;
}

/** Adds what the product does for itself: expired rows are deleted, the owner is told what fails, and groups get their recaps. */
export function addUpkeep(jobs: Pick<Jobs, 'add'>, deps: UpkeepDeps): void {
  const { auth, audit, treasury, collections, telegram, discord } = deps;
  const owner = createOwnerWatch({ ...deps, now: () => clock.now() });
  const withPurges = [auth, audit, treasury, telegram, discord, owner];
  const purges = [...collections.purges(telegram), ...withPurges.flatMap((each) => each.purges)];
  jobs.add(purgeJob({ ...deps, purges }));
  if (owner.job !== null) jobs.add(owner.job);
  for (const job of telegram.jobs) jobs.add(job);
}
