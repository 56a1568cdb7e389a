import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How much and how long a client may take. */
export interface ServerLimits {
  /** For calls without a body; the others set their own limit (`Route.bodyBytes`). */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  readonly checkConnectionsEveryMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  /** A client that reads less than this while more data waits is disconnected. */
  readonly leastBytesPerSecond: number;
  /** How often the reading rate is checked; a slow client is disconnected within twice that time. */
  readonly rateOverMs: number;
  readonly stopWithinMs: number;
  /** Connections that may wait to be accepted; the system's own limit (Linux: `net.core.somaxconn`) applies too. */
  readonly waitingConnections: number;
}

export const defaultLimits: ServerLimits = {
  // `{}` and some spaces, which clients send where a call has no body.
  bodyBytes: 1_024,
  headerBytes: 16 * 1_024,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  checkConnectionsEveryMs: 2_000,
  // Longer than the usual 60 s of a proxy in front, so that the proxy closes first.
  keepAliveMs: 65_000,
  idleMs: 120_000,
  leastBytesPerSecond: 1_024,
  rateOverMs: 10_000,
  // The whole product has 5 s to stop, and the database stops after this.
  stopWithinMs: 2_000,
  // With Node's default of 511, the rest of a thousand simultaneous connections are dropped and retried a second later.
  waitingConnections: 4_096,
};

/** Where Node counts the bytes handed to the system and still waiting (node:lib/net.js, `_onTimeout`); there is no public API. */
type WatchedSocket = Socket & { readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } };

export type LeastRate = Pick<ServerLimits, 'leastBytesPerSecond' | 'rateOverMs'>;

/**
 * Disconnects clients that read their answer too slowly. The idle timeout never ends a client that reads a few bytes now and then,
 * so its answer would stay in memory for ever.
 */
export function closeSlowReaders(server: Server, { leastBytesPerSecond, rateOverMs }: LeastRate): void {
  const sockets = new Set<WatchedSocket>();
  const takenBefore = new WeakMap<WatchedSocket, number>();
  const leastBytes = (leastBytesPerSecond * rateOverMs) / 1_000;
  server.on('connection', (socket: WatchedSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
      const before = takenBefore.get(socket);
      const taken = bytesWritten - writeQueueSize;
      if (writeQueueSize === 0) takenBefore.delete(socket);
      else if (before !== undefined && taken - before < leastBytes) socket.destroy();
      else takenBefore.set(socket, taken);
    }
  }, rateOverMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
