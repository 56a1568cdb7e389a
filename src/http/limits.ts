import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { FailureAnswer } from './failure-answer.ts';

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
  /** Answers that are made at the same time, of all routes whose answers are bounded: `/metrics`. */
  readonly onDemandAtOnce: number;
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
  // Compressing takes a thread each, and Node has four for files and names as well.
  onDemandAtOnce: 3,
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

/** Gives a place back; harmless when called twice. */
type GiveBack = () => void;

/** Limits how many costly answers are made at the same time. Not for files that are sent as they are made (docs/decisions/0005). */
export interface OnDemandBound {
  /** A place, or null when all are taken. It is held until the answer is ready to be sent. */
  take(): GiveBack | null;
}

export const tooManyAtOnce: FailureAnswer = {
  status: 503,
  body: {
    message: 'Too many visitors are asking for this at the same moment. Try again in 1 second.',
    code: 'too-many-at-once',
  },
  retryAfterSeconds: 1,
  ours: false,
};

/**
 * There is no queue: a queue of costly answers is what silences a process. A place is free again only in the event loop's next turn,
 * so that ready answers, health and calls of others are answered between two costly ones.
 */
export function createOnDemandBound(atOnce: number): OnDemandBound {
  let taken = 0;
  return {
    take: () => {
      if (taken >= atOnce) return null;
      taken += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        setImmediate(() => void (taken -= 1));
      };
    },
  };
}

/** Takes a place for this request if its route needs one. False: there is none. */
export function holdsPlace(request: FastifyRequest, bound: OnDemandBound): boolean {
  if (request.routeOptions.config.isBounded !== true) return true;
  request.giveBack = bound.take();
  return request.giveBack !== null;
}

/** The answer is made. Not when the client is gone: what it asked for is still being made then. */
export const givePlaceBack = ({ request }: Pick<FastifyReply, 'request'>): void => request.giveBack?.();
