import { createHash } from 'node:crypto';

import { Client } from 'pg';

import { createPool } from '../../src/platform/database/connect.ts';
import { silentLog } from '../../src/platform/database/database-log.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server every test database lives on. */
    testServerUrl: string;
    /** The migrated database that test databases are copies of. */
    templateDatabase: string;
  }
}

interface GlobalSetupContext {
  readonly provide: (key: 'testServerUrl' | 'templateDatabase', value: string) => void;
}

/** One PostgreSQL for the whole run: that of TEST_DATABASE_URL, otherwise an embedded one that leaves nothing behind. */
export default async function setup({ provide }: GlobalSetupContext): Promise<() => Promise<void>> {
  const server = await startServer(process.env.TEST_DATABASE_URL);
  try {
    provide('testServerUrl', server.url);
    provide('templateDatabase', await ensureTemplate(server.url));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server.stop;
}

async function startServer(url: string | undefined): Promise<{ url: string; stop: () => Promise<void> }> {
  if (url !== undefined && url !== '') return { url, stop: async () => {} };
  const dataDir = await temporaryDataDir();
  // Nobody misses this data, so it is not waited for on disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path, log: silentLog, settings });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await dataDir.remove();
  };
  return { url: postgres.url, stop };
}

/** Named after the migrations' content, so that a server of one's own keeps one template for each state of them. */
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
