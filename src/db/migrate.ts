import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Pool, PoolClient } from 'pg';

import { Refused, Unavailable } from '../shared/failure.ts';
import { type ChangeSignal, runningLock } from './change-signal.ts';
import { allowLongStatements } from './guard-connections.ts';
import type { Log } from '../process/logger.ts';

export interface Migration {
  /** Such as 0007-what-it-does.sql: the number is the order. */
  readonly name: string;
  readonly sql: string;
  /** sha256 of the file, hex. */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** The lock's number, the same for every copy of the product on this database ("MIGR" in ASCII). */
const migrationLock = 0x4d_49_47_52;
const migrationsTable =
  'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())';
const undefinedTable = '42P01';
const undefinedColumn = '42703';
const lockNotAvailable = '55P03';

/** The migrations that come with this program. */
const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/** A folder's migrations in the order of their numbers. */
export async function readMigrations(folder: string = migrationsFolder): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies the migrations that are missing: each file in a transaction of its own, one copy at a time, one query when there is
 * nothing to do. Returns the names applied now.
 * Throws Refused `migration-changed` (an applied file differs), `database-newer` or `database-foreign`, Unavailable `migration-failed`,
 * `migration-locked` or `copies-running`.
 */
export async function migrate(
  pool: Pool,
  log: Log,
  folder: string = migrationsFolder,
  lockWaitMs: number = usualLockWaitMs,
): Promise<readonly string[]> {
  if ((await readPending(pool, folder)).length === 0) return [];
  const client = await pool.connect();
  try {
    await lockMigrations(client, lockWaitMs);
    return await applyUnderLock(client, folder, log);
  } finally {
    // Closed, not returned to the pool: its lock, its settings and its limits end with it.
    client.release(true);
  }
}

async function applyUnderLock(client: PoolClient, folder: string, log: Log): Promise<readonly string[]> {
  const pending = await readPending(client, folder);
  if (pending.length > 0) await waitForCopies(client, log);
  for (const migration of pending) {
    await apply(client, migration);
    log.info({ migration: migration.name }, 'Migration applied');
  }
  await client.query('select pg_advisory_unlock_all()');
  return pending.map(({ name }) => name);
}

/**
 * A copy whose machine vanishes for a while does not stand in the way of an upgrade: when it reaches the database again, `onRefused`
 * gets the Refused `database-newer`. Throws it if a newer version migrated after this copy's `migrate` and before its change signal.
 */
export const watchForUpgrade = async (
  changes: Pick<ChangeSignal, 'subscribe'>,
  pool: Pool,
  onRefused: (error: Refused) => void,
  folder: string = migrationsFolder,
): Promise<void> => {
  changes.subscribe('migrations', () => {
    readPending(pool, folder).catch((error: unknown) => {
      // An outage is not an upgrade, and ends with another reconnect.
      if (error instanceof Refused) onRefused(error);
    });
  });
  await readPending(pool, folder);
};

/** Longer than the database keeps the connection of a copy whose machine has vanished (change-signal.ts). */
const usualLockWaitMs = 120_000;

/**
 * Until this connection ends, no other copy changes the schema, and its statements may take half an hour.
 * Throws Unavailable `migration-locked`.
 */
export async function lockMigrations(client: PoolClient, waitMs: number = usualLockWaitMs): Promise<void> {
  await allowLongStatements(client);
  await client.query(`set lock_timeout = ${waitMs}`);
  const sentence = 'Another copy of the product has been changing this database for 2 minutes: try again later.';
  await takeLock(client, migrationLock, 'migration-locked', sentence);
}

/** A copy of another version that runs on would work with tables that it does not know. */
async function waitForCopies(client: PoolClient, log: Log): Promise<void> {
  const tried = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [runningLock]);
  if (tried.rows[0]?.taken === true) return;
  log.info({}, 'Waiting for the other copies on this database to stop');
  const sentence = 'Another copy still runs on this database. Stop it first.';
  await takeLock(client, runningLock, 'copies-running', sentence);
}

/** Waits for it as long as the connection's `lock_timeout` says. */
async function takeLock(client: PoolClient, lock: number, reason: string, sentence: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lock]).catch((error: unknown) => {
    throw codeOf(error) === lockNotAvailable ? new Unavailable(reason, sentence, error) : error;
  });
}

/** Runs one migration inside the client's open transaction. Throws the database's error. */
export async function runMigration(client: PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(migrationsTable);
  await client.query(sql);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await runMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Unavailable('migration-failed', `Migration ${migration.name} failed and was undone: ${reason}.`, error);
  }
}

/** All recorded migrations; none when this database was never migrated. Throws Refused `database-foreign`. */
async function readApplied(queryable: Pick<Pool, 'query'>): Promise<readonly AppliedMigration[]> {
  try {
    return (await queryable.query<AppliedMigration>('select name, checksum from schema_migrations')).rows;
  } catch (error) {
    if (codeOf(error) === undefinedTable) return [];
    if (codeOf(error) !== undefinedColumn) throw error;
    // Many programs keep a list of this name.
    const sentence = "This database holds another program's tables: give DATABASE_URL an empty database.";
    throw new Refused('database-foreign', sentence, { cause: error });
  }
}

async function readPending(queryable: Pick<Pool, 'query'>, folder: string): Promise<readonly Migration[]> {
  const migrations = await readMigrations(folder);
  const applied = await readApplied(queryable);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new Refused(
        'database-newer',
        `The database has migration ${name}, which this version does not know: start a newer version.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Refused(
        'migration-changed',
        `Migration ${name} was changed after it was applied: restore that file and add a new migration instead.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
