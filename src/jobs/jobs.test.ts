import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { kyselyOver, type TestDatabase, testDatabase } from '../../tests/support/database.ts';
import { databaseLine } from '../../tests/support/database-line.ts';
import { until } from '../../tests/support/until.ts';
import { type JobDefinition, createJobs, type Jobs } from './jobs.ts';

/** Rulings R7: everything that runs by itself is a job of one engine, shared by all copies. */
const payload = z.object({ of: z.string() });
type Payload = z.infer<typeof payload>;

let database: TestDatabase;
let copies: Jobs[];
let logged: string[];
let errors: unknown[];
beforeEach(async () => {
  database = await testDatabase();
  copies = [];
  logged = [];
  errors = [];
});
afterEach(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await database.drop();
});

const log = {
  info: (_details: object, sentence: string) => void logged.push(sentence),
  warn: (details: { readonly err?: unknown }, sentence: string) => {
    logged.push(sentence);
    if (details.err !== undefined) errors.push(details.err);
  },
};

const copyWith = (...jobs: JobDefinition<Payload>[]): Promise<Jobs> => copyOn(database.url, ...jobs);

async function copyOn(url: string, ...jobs: JobDefinition<Payload>[]): Promise<Jobs> {
  const made = createJobs({ url, log });
  copies.push(made);
  for (const job of jobs) made.add(job);
  await made.start();
  return made;
}

/** A job that notes what it was run with. */
function noting(fields: Partial<JobDefinition<Payload>> = {}): { job: JobDefinition<Payload>; ran: string[] } {
  const ran: string[] = [];
  const run: JobDefinition<Payload>['run'] = async ({ of }) => void ran.push(of);
  return { ran, job: { name: 'noting', payload, failing: 'Noting failed', run, ...fields } };
}

describe('A job that was sent', () => {
  test('runs at once, with its payload', async () => {
    const { job, ran } = noting();
    const jobs = await copyWith(job);
    await jobs.send(job, { of: 'granite' });
    await until('it ran', () => ran.length === 1);
    expect(ran).toEqual(['granite']);
  });

  test('is deleted some minutes after it has run', async () => {
    const { job, ran } = noting();
    const jobs = await copyWith(job);
    await jobs.send(job, { of: 'granite' });
    await until('it ran', () => ran.length === 1);
    const rows = () => database.rows<{ state: string }>(`select state from pgboss.job where name = 'noting'`);
    await until('it is done', async () => (await rows())[0]?.state === 'completed');
    const ago = `now() - interval '10 minutes'`;
    await database.rows(`update pgboss.job set completed_on = ${ago}`);
    await database.rows(`update pgboss.queue set maintain_on = ${ago}`);
    await until('it is deleted', async () => (await rows()).length === 0);
  });

  test('within a transaction runs after the commit, and never after a rollback', async () => {
    const { job, ran } = noting();
    const jobs = await copyWith(job);
    const db = kyselyOver<object>(database.pool);
    const undone = db.transaction().execute(async (transaction) => {
      await jobs.send(job, { of: 'undone' }, { transaction });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await db.transaction().execute((transaction) => jobs.send(job, { of: 'done' }, { transaction }));
    await until('it ran', () => ran.length > 0);
    expect(ran).toEqual(['done']);
  });

  test('for a later time waits; sent again with its key, it runs once, at the earlier time', async () => {
    const { job, ran } = noting({ key: ({ of }) => of.slice(0, 1) });
    const jobs = await copyWith(job);
    await jobs.send(job, { of: 'a in an hour' }, { inMs: 3_600_000 });
    await jobs.send(job, { of: 'a now' });
    await jobs.send(job, { of: 'b' });
    await jobs.send(job, { of: 'c in an hour' }, { inMs: 3_600_000 });
    await jobs.send(job, { of: 'c soon' }, { inMs: 50 });
    await until('all ran', () => ran.length === 3);
    expect(ran.map((of) => of.slice(0, 1)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await database.rows("select 1 from pgboss.job where name = 'noting' and state = 'created'")).toEqual([]);
  });

  test('with a key never runs at the same time as another with that key, in any copy', async () => {
    let running = 0;
    let most = 0;
    let ran = 0;
    const gate = Promise.withResolvers<void>();
    const { job } = noting({
      key: () => 'one',
      atOnce: 4,
      run: async () => {
        most = Math.max(most, (running += 1));
        await gate.promise;
        running -= 1;
        ran += 1;
      },
    });
    const [one, other] = [await copyWith(job), await copyWith(job)];
    await one.send(job, { of: 'first' });
    await until('it runs', () => running === 1);
    await other.send(job, { of: 'second' });
    await one.send(job, { of: 'third' });
    gate.resolve();
    await until('both ran', () => ran === 2);
    expect(most).toBe(1);
  });

  test('while one with its key runs is run right after it, even if that one wants to run again much later', async () => {
    const gate = Promise.withResolvers<void>();
    let ran = 0;
    const { job } = noting({
      key: () => 'one',
      run: async () => {
        ran += 1;
        await gate.promise;
        return { againInMs: 3_600_000 };
      },
    });
    const jobs = await copyWith(job);
    await jobs.send(job, { of: 'first' });
    await until('it runs', () => ran === 1);
    await jobs.send(job, { of: 'second' });
    gate.resolve();
    await until('the second ran', () => ran === 2);
  });

  test('is not held up by a slow one', async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const { job } = noting({
      atOnce: 2,
      run: async ({ of }) => {
        if (of === 'slow') await gate.promise;
        ran.push(of);
      },
    });
    const jobs = await copyWith(job);
    for (const of of ['slow', 'one', 'two', 'three']) await jobs.send(job, { of });
    await until('the others ran', () => ran.length === 3);
    gate.resolve();
    await until('all ran', () => ran.length === 4);
    expect(ran[3]).toBe('slow');
  });

  test('is retried when it throws; the log says so once, and once when it works again', async () => {
    let tries = 0;
    const { job } = noting({
      run: async () => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
      },
    });
    const jobs = await copyWith(job);
    await jobs.send(job, { of: 'granite' });
    await until('it worked', () => tries === 3, 20_000);
    await until('that is said', () => logged.length === 2);
    expect(logged).toEqual(['Noting failed; trying again', 'Noting failed for a while; it works again']);
  });

  test('that no worker was woken for is found by one worker, and the other workers find more of them at once', async () => {
    const release = Promise.withResolvers<void>();
    const started: string[] = [];
    const run = async ({ of }: Payload): Promise<void> => {
      started.push(of);
      await release.promise;
    };
    const { job } = noting({ atOnce: 4, run });
    const jobs = await copyWith(job);
    for (const of of ['1', '2', '3', '4']) await jobs.send(job, { of }, { inMs: 86_400_000 });
    // As after a copy was killed: the jobs are due, and its timers are gone.
    await database.pool.query("update pgboss.job set start_after = now() where name = 'noting'");
    await until('all four run', () => started.length === 4, 6_000).finally(release.resolve);
  });

  test('is done even if many are sent at once', async () => {
    const { job, ran } = noting({ atOnce: 8 });
    const jobs = await copyWith(job);
    await Promise.all(Array.from({ length: 300 }, (_none, index) => jobs.send(job, { of: String(index) })));
    await until('all ran', () => ran.length === 300, 20_000);
    expect(new Set(ran).size).toBe(300);
  });
});

describe('A job that repeats', () => {
  test('begins at the start, once for all copies, and runs again', async () => {
    let ran = 0;
    const job = { name: 'noting', everyMs: 100, failing: 'Noting failed', run: async () => void (ran += 1) };
    await Promise.all([copyWith(job), copyWith(job)]);
    await until('it ran three times', () => ran >= 3, 20_000);
    expect(await database.rows("select 1 from pgboss.job where name = 'noting' and state < 'active'")).toHaveLength(1);
  });
});

test('A stop aborts the running job; another copy takes it over', async () => {
  const started: string[] = [];
  const run: JobDefinition<Payload>['run'] = ({ of }, stop) =>
    new Promise((_resolve, reject) => {
      started.push(of);
      stop.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const first = noting({ run });
  const jobs = await copyWith(first.job);
  await jobs.send(first.job, { of: 'granite' });
  await until('it runs', () => started.length === 1);
  await jobs.stop();
  const second = noting();
  await copyWith(second.job);
  await until('the other does it', () => second.ran.length === 1, 20_000);
  expect(logged).toEqual([]);
});

test("An answer that is not PostgreSQL's ends the connections and not the process; afterwards jobs run again", async () => {
  const line = await databaseLine(database.url);
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  const { job, ran } = noting();
  const jobs = await copyOn(line.url, job);
  // An authentication request of a kind that does not exist (PostgreSQL's protocol, version 3).
  line.spoil({ kind: 'says', bytes: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99]) });
  await expect(jobs.send(job, { of: 'granite' })).rejects.toThrow();
  await until('the engine has noticed', () => logged.some((each) => each.includes('could not reach the database')));
  await line.mend();
  const isSent = () => jobs.send(job, { of: 'granite' }).then(...([() => true, () => false] as const));
  await until('a job can be sent', isSent, 20_000);
  await until('it ran', () => ran.length > 0, 20_000);
  process.off('uncaughtException', note);
  for (const error of errors) expect(error).toBeInstanceOf(Error);
  expect(uncaught).toEqual([]);
  await jobs.stop();
  await line.end();
});
