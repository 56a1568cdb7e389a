import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps here what was handed to the system and what still waits (node:lib/net.js, `_onTimeout`); nothing public says so. */
type WatchedSocket = Socket & { readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } };

export interface LeastRate {
  readonly leastBytesPerSecond: number;
  /** So long a reader is watched before it is judged; it is closed within twice that time. */
  readonly rateOverMs: number;
}

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
