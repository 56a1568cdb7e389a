import type { FastifyInstance, FastifyReply } from 'fastify';

import { createEncodingMemory } from './accept-encoding.ts';
import type { SendHotBody } from './hot-answer.ts';
import type { HotBody } from './hot-bodies.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a ready body with the headers and encodings that it brings: nothing of it is made per request. */
    sendReady(body: HotBody): FastifyReply;
  }
}

/** For routes whose body was not ready yet when the request came, or that were asked for in an unusual notation. */
export function offerReadyBodies(app: FastifyInstance, send: SendHotBody): void {
  const encodingFor = createEncodingMemory();
  app.decorateReply('sendReady', function sendReady(this: FastifyReply, body: HotBody) {
    const { request } = this;
    const encoding = encodingFor(request.headers['accept-encoding']);
    this.hijack();
    send(request.raw, this.raw, body, { encoding, status: 200, requestId: request.id });
    return this;
  });
}
