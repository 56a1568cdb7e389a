import { Socket } from 'node:net';

import type { PoolClient } from 'pg';

/**
 * Cuts a connection on which a question stays without a word of an answer for so long: a server that hangs, or a network that
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
