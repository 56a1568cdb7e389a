import type { Duplex } from 'node:stream';
import { Connection, type PoolClient, Client } from 'pg';
import { Socket } from 'node:net';
import { withTimeout, pause } from '../process/in-time.ts';

interface Listening {
  attachListeners: (this: Listening, stream: Duplex) => void;
  isGuarded?: true;
}

/**
 * Makes every pg client in this process, including those of pg-boss, treat an answer that is not PostgreSQL's (from a proxy, or another
 * server on that port) as a broken connection. pg-protocol parses in the socket's event and throws there
 * (pg-protocol/dist/parser.js), where no caller can catch it: that ended the process. Safe to repeat.
 */
export function guardConnections(): void {
  const listening = Connection.prototype as unknown as Listening;
  if (listening.isGuarded === true) return;
  listening.isGuarded = true;
  const attach = listening.attachListeners;
  listening.attachListeners = function (stream) {
    breakOnNonsense(stream);
    attach.call(this, stream);
  };
}

function breakOnNonsense(stream: Duplex): void {
  const emit = stream.emit.bind(stream) as (event: string, ...heard: unknown[]) => boolean;
  stream.emit = (event: string, ...heard: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...heard);
    try {
      return emit(event, ...heard);
    } catch (error) {
      // The caller gets an outage (outage.ts recognises this message).
      stream.destroy(
        new Error('Connection terminated: the server does not speak the PostgreSQL protocol', { cause: error }),
      );
      return true;
    }
  };
}

/**
 * Cuts a connection on which a query gets no answer at all for `silentMs`: the server hangs, or the network
 * drops what is sent. The query fails as a lost connection, and the pool makes a new one.
 *
 * pg's own `query_timeout` is not enough (pg/lib/client.js): it rejects the query but keeps the connection, on which the next
 * query, or a transaction's `rollback`, waits behind the one that was never answered.
 */
export function limitSilence({ connection }: PoolClient, silentMs: number, onSilence: () => void): void {
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answeredBytes = stream.bytesWritten;
  // Runs before pg's own listener, which sends the next query at once.
  connection.prependListener('readyForQuery', () => {
    answeredBytes = stream.bytesWritten;
  });
  // 'timeout' means that nothing was read or written for that long: an answer that arrives in pieces may take longer.
  stream.setTimeout(silentMs);
  // A listener passed to setTimeout is called only once, and the first idle pause would use it up.
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredBytes) return;
    onSilence();
    stream.destroy();
  });
}

/** Another limit for a connection with long-running work. Close it afterwards: the pool's other users rely on the usual limit. */
export function allowSilence({ connection }: PoolClient, silentMs: number): void {
  if (connection.stream instanceof Socket) connection.stream.setTimeout(silentMs);
}

export interface OwnConnection {
  readonly client: Client;
  /** Aborts when the connection is gone, for any reason. */
  readonly lost: AbortSignal;
  /** Sends a query regularly until `over`: without one, a connection whose other end vanished stays open for hours. */
  keepAlive(everyMs: number, over: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface ConnectionOptions {
  /** May carry a password: never logged. */
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly purpose: string;
  readonly answerWithinMs: number;
  /** The first statement, for which the connection is made. */
  readonly begin: string;
  /** A database that accepts the connection but does not answer must not hold up a stop. */
  readonly stopping: AbortSignal;
}

const connectWithinMs = 5_000;
const closeWithinMs = 1_000;

/** A connection outside the pool, for state that ends with it: locks and LISTEN. Throws the connection's own error. */
export async function openConnection(options: ConnectionOptions): Promise<OwnConnection> {
  const { url, purpose, answerWithinMs, begin, stopping } = options;
  guardConnections();
  const client = new Client({
    connectionString: url,
    application_name: `product ${process.pid} ${purpose}`,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  // end() alone would wait for an answer that never comes.
  const cut = (): void => void client.connection.stream.destroy();
  const close = (): Promise<void> =>
    withTimeout(
      client.end().catch(() => {}),
      closeWithinMs,
      cut,
    );
  stopping.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query(begin);
  } catch (error) {
    await close();
    throw error;
  } finally {
    stopping.removeEventListener('abort', cut);
  }
  return {
    client,
    lost: lost.signal,
    close,
    keepAlive: async (everyMs, over) => {
      for (;;) {
        await pause(everyMs, over);
        if (over.aborted) return;
        await client.query('select 1').catch(cut);
      }
    },
  };
}
