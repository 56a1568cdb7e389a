import { createHash } from 'node:crypto';

import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of all test databases. */
    testServerUrl: string;
    /** The migrated database that test databases are copied from. */
    templateDatabase: string;
    /** How PostgreSQL copies it: as files if in memory, which takes a fifth of the time; through its log if on disk. */
    copyStrategy: 'file_copy' | 'wal_log';
  }
}

interface GlobalSetupContext {
  readonly provide: <Key extends keyof ProvidedContext>(key: Key, value: ProvidedContext[Key]) => void;
}

/** One PostgreSQL for the whole run: the one at TEST_DATABASE_URL, otherwise an embedded one that leaves nothing behind. */
export default async function setup({ provide }: GlobalSetupContext): Promise<() => Promise<void>> {
  const server = await startServer(process.env.TEST_DATABASE_URL);
  try {
    provide('testServerUrl', server.url);
    provide('templateDatabase', await ensureTemplate(server.url));
    provide('copyStrategy', server.isInMemory ? 'file_copy' : 'wal_log');
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server.stop;
}

interface Server {
  readonly url: string;
  readonly isInMemory: boolean;
  readonly stop: () => Promise<void>;
}

async function startServer(url: string | undefined): Promise<Server> {
  if (url !== undefined && url !== '') return { url, isInMemory: false, stop: async () => {} };
  const dataDir = await temporaryDataDir();
  // This data may be lost, so there is no waiting for the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog, settings });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await dataDir.remove();
  };
  return { url: postgres.url, isInMemory: dataDir.isInMemory, stop };
}

/** Named after the content of the migrations, so that a permanent server keeps one template for each state of them. */
async function ensureTemplate(serverUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, checksum } of await readMigrations()) hash.update(`${name} ${checksum}\n`);
  const template = `sui_rocks_template_${hash.digest('hex').slice(0, 16)}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [
      template,
    ]);
    if (rowCount === 0) await makeTemplate(client, serverUrl, template);
  } finally {
    await client.end();
  }
  return template;
}

async function makeTemplate(client: Client, serverUrl: string, template: string): Promise<void> {
  await client.query(`drop database if exists ${template} with (force)`);
  await client.query(`create database ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  const pool = createPool(url.href, silentLog);
  try {
    await migrate(pool, silentLog);
  } finally {
    await pool.end();
  }
  await client.query(`alter database ${template} is_template true`);
}
