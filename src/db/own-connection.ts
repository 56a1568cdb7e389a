import { Client } from 'pg';

import { inTime, pause } from '../process/in-time.ts';
import { guardConnections } from './guard-connections.ts';

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
  /** For those who look at the server's list of connections. */
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
