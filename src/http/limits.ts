import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How much and how long a client may take. */
export interface ServerLimits {
  /** Of calls that take no body; the others say it themselves (`Route.bodyBytes`). */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  readonly checkConnectionsEveryMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  /** A reader who takes less while more waits is closed. */
  readonly leastBytesPerSecond: number;
  /** How long a reader is watched before it is judged; it is closed within twice that time. */
  readonly rateOverMs: number;
  readonly stopWithinMs: number;
  /** Connections that wait until they are taken; the system's own bound (Linux: `net.core.somaxconn`) holds as well. */
  readonly waitingConnections: number;
}

export const defaultLimits: ServerLimits = {
  // `{}` and some spaces: clients send it where a call has no body.
  bodyBytes: 1_024,
  headerBytes: 16 * 1_024,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  checkConnectionsEveryMs: 2_000,
  // Longer than the usual 60 s of a proxy in front, so that it is the proxy which closes.
  keepAliveMs: 65_000,
  idleMs: 120_000,
  leastBytesPerSecond: 1_024,
  rateOverMs: 10_000,
  // The whole product has 5 s to stop, and the database comes after.
  stopWithinMs: 2_000,
  // Node's own 511 turn the rest of a thousand that come at once away, who try again a second later.
  waitingConnections: 4_096,
};

/** Node keeps here what was handed to the system and what still waits (node:lib/net.js, `_onTimeout`); nothing public says so. */
type WatchedSocket = Socket & { readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } };

export type LeastRate = Pick<ServerLimits, 'leastBytesPerSecond' | 'rateOverMs'>;

/**
 * Closes connections whose reader takes its answer too slowly while more of it waits here: one that reads a few bytes now and then
 * would hold the answer in memory for ever, as something moves each time.
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
