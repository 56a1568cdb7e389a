import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

import { PostgresFailure } from './failure.ts';
import { isAlive } from './postmaster.ts';

/** Fixed numbers, so that the lock can be found in pg_locks; older versions hold the same. */
const lockClass = 0x53_55_49_20;
const lockObject = 0x52_4f_43_4b;
const namePrefix = 'data folder holder ';
const retryMs = 25;
/** How long the server may take to notice that a holder was killed: in practice a few milliseconds. */
const deadHolderMs = 5_000;
/** A process killed this moment can still look alive; one that is really alive is believed after this. */
const livingHolderMs = 300;

interface Holder {
  readonly pid: number;
  /** ISO 8601, when the process started. */
  readonly since: string;
}

/**
 * A session lock in the folder's own database, so only one process at a time uses the folder; the returned connection is the lock.
 * Throws PostgresFailure `data-dir-held` with the holder's process id and start.
 */
export async function takeFolderLock(url: string, dataDir: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: holderName(),
    connectionTimeoutMillis: 5_000,
    // After an unanswered query the connection is closed: the next query would wait behind it.
    query_timeout: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await waitForLock(client, dataDir);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Process id and start. The connection's own age would not do: it is made anew when the server had to be started again. */
function holderName(): string {
  const startedAt = new Date(Date.now() - process.uptime() * 1_000);
  return `${namePrefix}${process.pid} since ${startedAt.toISOString()}`;
}

async function waitForLock(client: Client, dataDir: string): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      lockClass,
      lockObject,
    ]);
    if (rows[0]?.taken === true) return;
    const holder = await readHolder(client);
    const patienceMs = holder !== null && isAlive(holder.pid) ? livingHolderMs : deadHolderMs;
    if (holder !== null && Date.now() - startedAt > patienceMs) throw heldBy(holder, dataDir);
    await delay(retryMs);
  }
}

async function readHolder(client: Client): Promise<Holder | null> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2`,
    [lockClass, lockObject],
  );
  const [pid = '', since = ''] = rows[0]?.name.slice(namePrefix.length).split(' since ') ?? [];
  return rows[0] === undefined ? null : { pid: Number(pid), since };
}

function heldBy(holder: Holder, dataDir: string): PostgresFailure {
  return new PostgresFailure(
    'data-dir-held',
    `The data folder ${dataDir} is in use by process ${holder.pid} since ${holder.since}: stop that one first, or use another folder.`,
  );
}
