import type { FastifyReply } from 'fastify';

import type { FailureAnswer } from './failure-answer.ts';

/** Sends a failure as rulings R2 have it. Never kept by a cache: it may be over in a second. */
export function sendFailure(reply: FastifyReply, failure: FailureAnswer): FastifyReply {
  const { message, code } = failure.body;
  reply.code(failure.status).header('Cache-Control', 'no-store').removeHeader('Content-Disposition');
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', failure.retryAfterSeconds);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message, code }));
}
