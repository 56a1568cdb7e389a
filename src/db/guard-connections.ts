import type { Duplex } from 'node:stream';
import { Connection, type PoolClient, Client } from 'pg';
import { Socket } from 'node:net';
import { inTime, pause } from '../process/in-time.ts';

interface Listening {
  attachListeners: (this: Listening, stream: Duplex) => void;
  isGuarded?: true;
}

/**
 * To every client of pg in this process, also those that pg-boss makes, an answer that no PostgreSQL gives (a proxy in between, another
 * server on that port) is a broken connection. pg-protocol reads in the socket's own event and throws there
 * (pg-protocol/dist/parser.js), where no caller can catch it: the process ended. Safe to repeat.
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
      // The caller gets an outage (outage.ts knows these words).
      stream.destroy(
        new Error('Connection terminated: what answers does not speak as PostgreSQL does', { cause: error }),
      );
      return true;
    }
  };
}

/**
 * Cuts a connection on which a query gets no answer at all for `silentMs`: the server hangs, or the network
 * swallows what is sent. The caller learns that the connection ended, and the pool makes a new one.
 *
 * pg's own `query_timeout` would not do (pg/lib/client.js): it rejects the query and keeps the connection, on which the next
 * question waits behind the one that was never answered; a transaction's `rollback` would wait as well.
 */
export function limitSilence({ connection }: PoolClient, silentMs: number, onSilence: () => void): void {
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answeredBytes = stream.bytesWritten;
  // Ahead of pg's own listener, which sends the next question at once.
  connection.prependListener('readyForQuery', () => {
    answeredBytes = stream.bytesWritten;
  });
  // Node calls this when nothing was read or written for that long: an answer that comes piece by piece may take its time.
  stream.setTimeout(silentMs);
  // A listener that is handed to setTimeout is called once, and the first pause of an idle connection would use it up.
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredBytes) return;
    onSilence();
    stream.destroy();
  });
}

/** Another limit for a connection that does what takes long. Close it afterwards: the pool's other users count on theirs. */
export function allowSilence({ connection }: PoolClient, silentMs: number): void {
  if (connection.stream instanceof Socket) connection.stream.setTimeout(silentMs);
}

export interface OwnConnection {
  readonly client: Client;
  /** Aborts when the connection is gone, for any reason. */
  readonly lost: AbortSignal;
  /** Asks again and again until `over`: a connection whose other end vanished without a word says nothing for hours. */
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
  /** A database that takes the connection and keeps silent must not hold up a stop. */
  readonly stopping: AbortSignal;
}

const connectWithinMs = 5_000;
const closeWithinMs = 1_000;

/** A connection beside the pool, for what ends with it: locks and what is listened for. Throws the connection's own error. */
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
  // end() alone would wait for the answer that does not come.
  const cut = (): void => void client.connection.stream.destroy();
  const close = (): Promise<void> =>
    inTime(
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
