import { randomBytes } from 'node:crypto';

import { Kysely, PostgresDialect } from 'kysely';
import { Client, type Pool } from 'pg';
import { inject } from 'vitest';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';

export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  /** The rows that a statement returns. */
  readonly rows: <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Ends the pool and drops the database, even if others are still connected to it. */
  readonly drop: () => Promise<void>;
}

/** A fresh, migrated database for this test alone. Call `drop` when done. */
export async function testDatabase(): Promise<TestDatabase> {
  return copyOf(inject('templateDatabase'));
}

/** As `testDatabase`, before any migration. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template0');
}

async function copyOf(template: string): Promise<TestDatabase> {
  const serverUrl = inject('testServerUrl');
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  // By default a server copies through its log; PostgreSQL 14, the oldest supported version, has no other strategy.
  const strategy = inject('copyStrategy') === 'file_copy' ? ' strategy file_copy' : '';
  await onServer(serverUrl, `create database ${name} template ${template}${strategy}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = createPool(url.href, silentLog);
  const drop = async (): Promise<void> => {
    await pool.end();
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
  };
  return {
    url: url.href,
    pool,
    rows: async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(statement, [...values])).rows,
    drop,
  };
}

/** Queries with the database's own column names, over a test's own tables. */
export const kyselyOver = <Tables>(pool: Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
