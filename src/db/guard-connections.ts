import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { Connection, type PoolClient } from 'pg';

/** pg's method that begins to parse what a stream receives (pg/lib/connection.js); its types leave it out. */
interface Parsing {
  attachListeners: (this: Parsing, stream: Duplex) => void;
}

const parsing = Connection.prototype as unknown as Parsing;
const attachParser = parsing.attachListeners;

/**
 * Makes every pg client in this process, including those of pg-boss, treat an answer that is not PostgreSQL's (from a proxy, or another
 * server on that port) as a broken connection. pg parses in the socket's event and throws there (pg-protocol/dist/parser.js), where no
 * caller can catch it: that would end the process. Safe to repeat.
 *
 * pg's options `stream` and `Client` are not enough: the first does not reach TLS, the second not pg-boss's LISTEN (pg-boss/dist/db.js).
 */
export function guardConnections(): void {
  parsing.attachListeners = attachGuardedParser;
}

function attachGuardedParser(this: Parsing, stream: Duplex): void {
  const received = new EventEmitter();
  // The parser only listens to it.
  attachParser.call(this, received as Duplex);
  stream.on('data', (bytes: Buffer) => {
    try {
      received.emit('data', bytes);
    } catch (error) {
      // The caller gets an outage (outage.ts recognizes this message).
      stream.destroy(
        new Error('Connection terminated: the server does not speak the PostgreSQL protocol', { cause: error }),
      );
    }
  });
}

/**
 * Cuts a connection on which a query gets no answer at all for `timeoutMs`: the server hangs, or the network
 * drops what is sent. The query fails as a lost connection, and the pool makes a new one.
 *
 * pg's own `query_timeout` is not enough (pg/lib/client.js): it rejects the query but keeps the connection, on which the next
 * query, or a transaction's `rollback`, waits behind the one that was never answered.
 */
export function cutUnanswered({ connection }: PoolClient, timeoutMs: number, onCut: () => void): void {
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answeredBytes = stream.bytesWritten;
  // Runs before pg's own listener, which sends the next query at once.
  connection.prependListener('readyForQuery', () => {
    answeredBytes = stream.bytesWritten;
  });
  // 'timeout' means that nothing was read or written for that long: an answer that arrives in pieces may take longer.
  stream.setTimeout(timeoutMs);
  // A listener passed to setTimeout is called only once, and the first idle pause would use it up.
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredBytes) return;
    onCut();
    stream.destroy();
  });
}

/** A big table may take long to change or to copy; a server that hangs must not keep its caller waiting for ever. */
const longStatementMs = 30 * 60_000;
const answerMarginMs = 10_000;

/** Gives this connection's statements half an hour each. Close it afterwards: the pool's other users rely on the usual limits. */
export async function allowLongStatements(client: PoolClient): Promise<void> {
  const { stream } = client.connection;
  if (stream instanceof Socket) stream.setTimeout(longStatementMs + answerMarginMs);
  await client.query(`set statement_timeout = ${longStatementMs}`);
}
