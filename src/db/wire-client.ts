import type { Duplex } from 'node:stream';

import { Client, type ClientConfig } from 'pg';

interface Listening {
  attachListeners(stream: Duplex): void;
}

/**
 * pg's client, for which an answer that no PostgreSQL gives (a proxy in between, another server on that port) is a broken connection.
 * pg-protocol reads in the socket's own event and throws there (pg-protocol/dist/parser.js), where no caller can catch it: the process ended.
 */
export class WireClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const connection = this.connection as unknown as Listening;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      breakOnNonsense(stream);
      attach(stream);
    };
  }
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
