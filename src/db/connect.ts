import { type EmbeddedPostgres, runningUrl, startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { PostgresFailure } from '@sui-rocks/embedded-postgres/failure';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';

import { Unavailable } from '../shared/failure.ts';
import { cutUnanswered, guardConnections } from './guard-connections.ts';
import type { Database } from './schema.ts';
import { withTimeout } from '../process/in-time.ts';
import type { Log } from '../process/logger.ts';

export interface DatabaseOptions {
  /** `DATABASE_URL`; null: the embedded PostgreSQL in `dataDir`. */
  readonly url: string | null;
  readonly dataDir: string;
  readonly log: Log;
  /** Called when another process has taken over the embedded server's folder for good: stop the product. */
  readonly onLost?: ((failure: Error) => void) | undefined;
}

export type ProductDatabase = Awaited<ReturnType<typeof createDatabase>>;

/** How long a caller waits for the database at most (docs/decisions/0020). */
export interface DatabaseLimits {
  /** For a connection: a free one of the pool, or a new one. */
  readonly connectMs: number;
  /** For a statement, including waits for locks: the server ends one that takes longer and keeps the connection. */
  readonly statementMs: number;
  /** Longer than `statementMs`: a server that gives no answer for this long hangs, and the connection is cut. */
  readonly answerTimeoutMs: number;
}

const databaseLimits: DatabaseLimits = { connectMs: 5_000, statementMs: 8_000, answerTimeoutMs: 10_000 };

const poolSize = 10;
/** After this the server ends the transaction of a silent client and frees its locks: it would not notice that the network is gone. */
const idleInTransactionMs = 20_000;
/** For noticing that the other end of an idle connection has vanished: ten probes, a second apart, follow (libuv's tcp.c). */
const probeAfterMs = 10_000;
const poolEndWithinMs = 1_500;
const oldestServer = 140_000;

/**
 * The product's database, checked with one query. Migrations are a step of their own (`migrate`).
 * Wire types are pg's own (`timestamptz` is a Date, `int8` a decimal string), except `numeric`.
 * Throws Unavailable: `database-unreachable`, `database-too-old`, `database-not-utf8`, `database-not-iso`, or a reason of `PostgresFailure`.
 */
export async function createDatabase(options: DatabaseOptions) {
  const { dataDir, log, onLost } = options;
  const embedded = options.url === null ? await startEmbedded({ dataDir, log, onLost }) : null;
  const url = embedded?.url ?? options.url ?? '';
  const pool = createPool(url, log);
  const stop = async (): Promise<void> => {
    // A query that hangs must not hold up the stop: its connection ends with the process.
    await withTimeout(pool.end(), poolEndWithinMs, () => {});
    await embedded?.stop();
  };
  try {
    await checkServer(pool, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    /** The pool with generated row types in camelCase (docs/decisions/0031). */
    database: typedKysely(pool),
    pool,
    /** For code that needs a connection of its own, e.g. for LISTEN. May carry a password: never log it. */
    url,
    /** Ends the pool and, when embedded, the server: at most 5 s. Call it last. */
    stop,
  };
}

/** Names the embedded server's role and socket: with another name an existing database would not be found. */
export const embeddedName = 'sui-rocks';

async function startEmbedded(options: Omit<DatabaseOptions, 'url'>): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ ...options, name: embeddedName });
  } catch (error) {
    if (!(error instanceof PostgresFailure)) throw error;
    const settings =
      'DATA_DIR sets the folder, DATABASE_URL a PostgreSQL of your own; the demo takes only "npm run demo -- --data-dir <folder>".';
    throw new Unavailable(error.reason, `${error.message} (${settings})`, error);
  }
}

/**
 * The product's database for a tool that runs beside it. If the product is running, its embedded server is used; otherwise the
 * tool starts that server itself. Throws what `createDatabase` throws.
 */
export async function createSharedDatabase(options: DatabaseOptions): Promise<ProductDatabase> {
  try {
    return await createDatabase(options);
  } catch (error) {
    const url =
      error instanceof Unavailable && error.reason === 'data-dir-held'
        ? await runningUrl(options.dataDir, embeddedName)
        : null;
    if (url === null) throw error;
    return createDatabase({ ...options, url });
  }
}

/** Every `numeric` column holds an amount in whole base units: a bigint. A fraction is refused, never rounded. */
const wireTypes = {
  getTypeParser: (...[type, format]: Parameters<typeof types.getTypeParser>) =>
    type === types.builtins.NUMERIC ? BigInt : types.getTypeParser(type, format),
};

/**
 * A pool whose connections may break at any time without ending the process (a Client without a listener would), and that
 * keeps no caller waiting for longer than its limits.
 */
export function createPool(url: string, log: Log, limits: DatabaseLimits = databaseLimits): Pool {
  guardConnections();
  const pool = new Pool({
    connectionString: url,
    types: wireTypes,
    max: poolSize,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeAfterMs,
    application_name: `product ${process.pid}`,
  });
  // While the pool ends, so does the embedded server: connections that break then are not logged.
  const warnUnlessEnding = (details: object, sentence: string): void => {
    if (!pool.ending) log.warn(details, sentence);
  };
  const { answerTimeoutMs } = limits;
  const onCut = (): void =>
    warnUnlessEnding({ silentMs: answerTimeoutMs }, 'The database does not answer; the connection is closed');
  // Each client reports its own error; the pool repeats those of idle clients, and would throw without a listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', (error) => warnUnlessEnding({ err: error }, 'A database connection broke'));
    cutUnanswered(client, answerTimeoutMs, onCut);
  });
  return pool;
}

/** Queries over a pool, in the generated types of src/db/schema.ts. Do not `destroy` it: the pool has one owner. */
export function typedKysely(pool: Pool): Kysely<Database> {
  // JSON in columns keeps its own keys.
  const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [camelCase] });
}

async function checkServer(pool: Pool, url: string): Promise<void> {
  const { version, encoding, dateStyle } = await readServer(pool).catch((error: unknown) => {
    throw unusable(url, error);
  });
  if (version < oldestServer) {
    throw new Unavailable(
      'database-too-old',
      'The database is older than PostgreSQL 14: use a newer server in DATABASE_URL.',
    );
  }
  // Any other has no room for some characters, or counts bytes instead of characters.
  if (encoding !== 'UTF8') {
    throw new Unavailable(
      'database-not-utf8',
      `The database has the encoding ${encoding}: use one with the encoding UTF8 in DATABASE_URL.`,
    );
  }
  // pg reads a time in any other style as null.
  if (!dateStyle.startsWith('ISO')) {
    throw new Unavailable(
      'database-not-iso',
      `The database has the DateStyle '${dateStyle}': use one with the DateStyle ISO in DATABASE_URL.`,
    );
  }
}

/** Async, because pg throws for an address that it cannot read (`sslrootcert`, say) before it makes a promise. */
async function readServer(pool: Pool) {
  const { rows } = await pool.query<{ version: string; encoding: string; date_style: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      current_setting('DateStyle') as date_style`,
  );
  return { version: Number(rows[0]?.version), encoding: rows[0]?.encoding, dateStyle: rows[0]?.date_style ?? '' };
}

function unusable(url: string, error: unknown): Unavailable {
  // Without the driver's message or the error as cause: "getaddrinfo ENOTFOUND …" may contain part of the password.
  if (mayNamePassword(url)) {
    const encoded = 'where special characters of a password must be percent-encoded (@ as %40, / as %2F)';
    return new Unavailable('database-unreachable', `The database cannot be used: check DATABASE_URL, ${encoded}.`);
  }
  // The message is empty where a name has several addresses and none answers.
  const { message, code } = error as NodeJS.ErrnoException;
  return new Unavailable(
    'database-unreachable',
    `The database cannot be used (${message || code}): check DATABASE_URL and that the server is running.`,
    error,
  );
}

/** With an unencoded `/`, `?` or `#` in a password, the part before it is read as the host, and the `@` is left over. */
function mayNamePassword(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { host, pathname, search, hash } = new URL(url);
  return `${host}${pathname}${search}${hash}`.includes('@');
}
