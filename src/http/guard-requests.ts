import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Logger } from '../process/logger.ts';
import type { Authorize } from './route.ts';
import { createClientReader } from './client.ts';
import { failureAnswerFor, foreignOrigin, sendFailure } from './failure-answer.ts';
import { type OnDemandBound, holdsPlace, tooManyAtOnce } from './on-demand.ts';
import { createOriginCheck } from './origin-check.ts';
import { type UnknownPathDeps, createUnknownPathAnswer } from './unknown-path.ts';

export interface GuardDeps extends UnknownPathDeps {
  readonly publicUrl: string;
  readonly authorize: Authorize;
  readonly logger: Logger;
  readonly onDemand: OnDemandBound;
  /** Gives an answer the headers that every answer has. */
  readonly prepareReply: (request: FastifyRequest, reply: FastifyReply) => void;
}

const readsOnly = /^(?:GET|HEAD|OPTIONS)$/;

/**
 * The router decodes a path before it looks for it, and a filter in front may not: `/%61pi/audit` must not be `/api/audit` behind it.
 */
const isWrittenOut = ({ url, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.writtenAs?.test(url.split('?', 1)[0] ?? '') === true;

/** Before a body is read: headers of every answer, unknown paths, foreign origins, access. Denied by default. */
export function guardRequests(app: FastifyInstance, deps: GuardDeps): void {
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const clientOf = createClientReader(deps.publicUrl);
  const answerUnknown = createUnknownPathAnswer(deps);
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply));
  app.setErrorHandler((error, request, reply) => {
    const failure = failureAnswerFor(error, request.routeOptions.bodyLimit);
    const facts = { requestId: request.id, route: request.routeOptions.url, err: error };
    if (failure.ours) deps.logger.error(facts, 'failed');
    else if (failure.status === 503) deps.logger.warn(facts, 'unavailable');
    return sendFailure(reply, failure);
  });
  app.decorateRequest('user', null);
  app.decorateRequest('giveBack', null);
  app.addHook('onRequest', async (request, reply) => {
    deps.prepareReply(request, reply);
    if (request.is404 || !isWrittenOut(request)) return answerUnknown(request, reply);
    if (!readsOnly.test(request.method) && !isOwnOrigin(request.headers)) return sendFailure(reply, foreignOrigin);
    const { access = 'admin', readsSession = false } = request.routeOptions.config;
    if (access === 'public' && !readsSession) return undefined;
    const permission = await deps.authorize(clientOf(request).sessionToken, access);
    if (permission.ok) {
      request.user = permission.user;
      return undefined;
    }
    return sendFailure(reply, { status: permission.status, body: permission, ours: false });
  });
  // Last, so that a refused call takes no place.
  app.addHook('preHandler', async (request, reply) =>
    holdsPlace(request, deps.onDemand) ? undefined : sendFailure(reply, tooManyAtOnce),
  );
}
