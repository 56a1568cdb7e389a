import { describe, expect, it } from 'vitest';

import { kyselyOver } from '../../src/platform/database/connect.ts';
import { createLeases, type LeaseTables } from '../../src/platform/leases.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createPurgeJob, type RetentionTables } from '../../src/platform/retention/purge-job.ts';
import type { Purge } from '../../src/platform/retention/purge.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ago, retentionGround } from '../support/retention-ground.ts';
import { until } from '../support/until.ts';

/** What is over goes again and again, by one copy of the product at a time (docs/decisions/0022). */
const { database, purges, rows } = retentionGround();

describe('The job', () => {
  const jobOf = (copy: string, given: readonly Purge[], purged: string[] = []) => {
    const clock = createManualClock();
    const db = kyselyOver<LeaseTables & RetentionTables>(database().pool);
    const job = createPurgeJob({
      db,
      leases: createLeases(db, { holder: copy }),
      purges: given,
      onPurged: (table, count) => void (count > 0 && purged.push(`${table} ${count}`)),
      clock,
      log: createLogger('silent'),
    });
    return { job, clock };
  };
  const attempt = () => rows(`insert into login_attempts values (gen_random_uuid()::text::bytea, 1, ${ago(1)})`);

  it('goes over everything at the start and every ten minutes, counts what went, and says when it last did', async () => {
    await attempt();
    const purged: string[] = [];
    const { job, clock } = jobOf('one', purges(), purged);
    job.start();
    const runs = () => rows<{ table_name: string; purged_rows: string }>('select * from purge_runs');
    await until('all tables are done', async () => (await runs()).length === purges().length);
    await attempt();
    await until('ten minutes pass', async () => {
      clock.advance(10 * 60_000);
      return purged.length === 2;
    });
    await job.stop();
    expect(purged).toEqual(['login_attempts 1', 'login_attempts 1']);
    expect((await runs()).find((run) => run.table_name === 'login_attempts')?.purged_rows).toBe('2');
  });

  it('goes on until nothing is over any more, and waits for no row that somebody else holds', async () => {
    const overMany = "(n::text || ' tried')::bytea, 1, " + ago(1);
    await rows(`insert into login_attempts select ${overMany} from generate_series(1, 5002) n`);
    const holder = await database().pool.connect();
    await holder.query("begin; select 1 from login_attempts where key = '1 tried' for update");
    const { job } = jobOf('one', purges());
    job.start();
    const left = async () => (await rows('select 1 from login_attempts')).length;
    await until('all that is free is gone', async () => (await left()) === 1).finally(() => holder.release(true));
    await job.stop();
  });

  it('does not say that it is done with a table when it is stopped on the way', async () => {
    const { job } = jobOf('one', [
      {
        table: 'sessions',
        step: () => {
          isStopping = true;
          void job.stop();
          return Promise.resolve({ purgedRows: 5_000, hasMore: true });
        },
      },
    ]);
    let isStopping = false;
    job.start();
    await until('it is being stopped', () => isStopping);
    await job.stop();
    expect(await rows('select 1 from purge_runs')).toEqual([]);
  });

  it('lets one table that fails keep no other from being purged', async () => {
    await attempt();
    const failing: Purge = { table: 'sessions', step: () => Promise.reject(new Error('no')) };
    const { job } = jobOf('one', [failing, ...purges().filter(({ table }) => table !== 'sessions')]);
    job.start();
    await until('the others are done', async () => (await rows('select 1 from login_attempts')).length === 0);
    await job.stop();
    expect(await rows("select 1 from purge_runs where table_name = 'sessions'")).toEqual([]);
  });

  it('is one copy of the product’s at a time', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let atWork = 0;
    const slow: Purge = {
      table: 'sessions',
      step: async () => {
        atWork += 1;
        await gate;
        return { purgedRows: 0, hasMore: false };
      },
    };
    const [one, other] = [jobOf('one', [slow]), jobOf('other', [slow])];
    one.job.start();
    await until('one is at work', () => atWork === 1);
    other.job.start();
    await other.job.stop();
    expect(atWork).toBe(1);
    open();
    await one.job.stop();
  });
});
