import type { FastifyReply, FastifyRequest } from 'fastify';

import type { FailureAnswer } from './failure-answer.ts';

/** Gives a place back; harmless when called twice. */
type GiveBack = () => void;

/** Bounds how many answers are made on demand at the same time, over all routes that declare `cost: 'on-demand'`. */
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
  if (request.routeOptions.config.cost !== 'on-demand') return true;
  request.giveBack = bound.take();
  return request.giveBack !== null;
}

/** The answer is made. Not when the client is gone: what it asked for is still being made then. */
export const givePlaceBack = ({ request }: Pick<FastifyReply, 'request'>): void => request.giveBack?.();
