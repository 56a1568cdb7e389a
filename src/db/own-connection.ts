import { Client } from 'pg';

import { guardConnections } from './guard-connections.ts';
import { pause, withTimeout } from '../process/in-time.ts';

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
  readonly answerTimeoutMs: number;
  /** For which the connection is made; if it fails, so does the opening. */
  readonly firstStatement: string;
  /** A database that accepts the connection but does not answer must not hold up a stop. */
  readonly stopping: AbortSignal;
}

const connectWithinMs = 5_000;
const closeWithinMs = 1_000;

/** A connection outside the pool, for state that ends with it: locks and LISTEN. Throws the connection's own error. */
export async function openConnection(options: ConnectionOptions): Promise<OwnConnection> {
  const { url, purpose, answerTimeoutMs, firstStatement, stopping } = options;
  guardConnections();
  const client = new Client({
    connectionString: url,
    application_name: `product ${process.pid} ${purpose}`,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const cut = (): void => void client.connection.stream.destroy();
  const close = async (): Promise<void> => {
    const ended = client.end().catch(() => {});
    // A server that does not answer would never end it.
    await withTimeout(ended, closeWithinMs, cut);
  };
  stopping.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query(firstStatement);
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
