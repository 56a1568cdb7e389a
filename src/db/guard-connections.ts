import type { Duplex } from 'node:stream';

import { Connection } from 'pg';

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
