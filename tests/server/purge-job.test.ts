import { describe, expect, it } from 'vitest';

import { createPool, typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createLogger } from '../../src/process/logger.ts';
import { type Purge, purgeJob, purgesOf } from '../../src/retention/purge.ts';
import { ago, retentionGround } from '../support/retention-ground.ts';

/** Expired rows are deleted (docs/decisions/0022). */
const { database, purges, rows } = retentionGround();

const going = new AbortController().signal;
const jobOf = (given: readonly Purge[], purged: string[] = []) =>
  purgeJob({
    database: typedKysely(database().pool),
    purges: given,
    onPurged: (table, count) => void (count > 0 && purged.push(`${table} ${count}`)),
    log: createLogger('silent'),
  });
const attempt = () => rows(`insert into login_attempts values (gen_random_uuid()::text::bytea, 1, ${ago(1)})`);

describe('The job', () => {
  it('runs at the start of the product and every ten minutes', () => {
    expect(jobOf([]).everyMs).toBe(600_000);
  });

  it('purges every table, counts what it deleted, and records when it last did', async () => {
    const purged: string[] = [];
    const job = jobOf(purges(), purged);
    for (let round = 0; round < 2; round += 1) {
      await attempt();
      await job.run({}, going);
    }
    expect(purged).toEqual(['login_attempts 1', 'login_attempts 1']);
    const runs = await rows<{ table_name: string; purged_rows: string }>('select * from purge_runs');
    expect(runs).toHaveLength(purges().length);
    expect(runs.find((run) => run.table_name === 'login_attempts')?.purged_rows).toBe('2');
  });

  it('continues until nothing is expired, and does not wait for locked rows', async () => {
    const overMany = "(n::text || ' tried')::bytea, 1, " + ago(1);
    await rows(`insert into login_attempts select ${overMany} from generate_series(1, 5002) n`);
    const holder = await database().pool.connect();
    await holder.query("begin; select 1 from login_attempts where key = '1 tried' for update");
    await jobOf(purges())
      .run({}, going)
      .finally(() => holder.release(true));
    expect(await rows('select 1 from login_attempts')).toHaveLength(1);
  });

  it('does not record a table as done when it is stopped on the way', async () => {
    const stopping = new AbortController();
    const endless: Purge = {
      table: 'sessions',
      step: async () => {
        stopping.abort();
        return { purgedRows: 5_000, hasMore: true };
      },
    };
    await jobOf([endless]).run({}, stopping.signal);
    expect(await rows('select 1 from purge_runs')).toEqual([]);
  });

  it('purges the other tables when one fails', async () => {
    await attempt();
    const failing: Purge = { table: 'sessions', step: () => Promise.reject(new Error('no')) };
    await jobOf([failing, ...purges().filter(({ table }) => table !== 'sessions')]).run({}, going);
    expect(await rows('select 1 from login_attempts')).toEqual([]);
    expect(await rows("select 1 from purge_runs where table_name = 'sessions'")).toEqual([]);
  });

  it('purges the other tables when one takes too long, and the log names it', async () => {
    await attempt();
    const limits = { connectMs: 5_000, statementMs: 300, answerTimeoutMs: 10_000 };
    const hurried = createPool(database().url, silentLog, limits);
    const holder = await database().pool.connect();
    await holder.query('begin; lock table audit_entries in access exclusive mode');
    let said = '';
    const log = createLogger('warn', { write: (line: string) => void (said += line) });
    await purgeJob({
      database: typedKysely(hurried),
      purges: purgesOf(typedKysely(hurried), []),
      onPurged: () => {},
      log,
    })
      .run({}, going)
      .finally(() => holder.release(true));
    expect(await rows('select 1 from login_attempts')).toEqual([]);
    expect(JSON.parse(said)).toMatchObject({ table: 'audit_entries', err: { code: '57014' } });
    await hurried.end();
  });

  it('fails without the database, and is then retried', async () => {
    const away: Purge = { table: 'sessions', step: () => Promise.reject(new Error('Connection terminated')) };
    await expect(jobOf([away]).run({}, going)).rejects.toThrow('Connection terminated');
  });
});
