import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Logger } from '../process/logger.ts';
import type { Authorize, Needs, Route } from './route.ts';
import { createClientReader, createOriginCheck } from './client.ts';
import { failureAnswerFor, foreignOrigin, sendFailure, noSuchCall, wrongMethod } from './failure-answer.ts';
import type { SendReady } from './ready/send-ready.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';

export interface GuardDeps extends UnknownPathDeps {
  readonly publicUrl: string;
  readonly authorize: Authorize;
  readonly logger: Logger;
  /** Sets the headers that every answer has. */
  readonly prepareReply: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** For a route that declares nothing. */
const strictestNeeds: Needs = { access: 'admin', needsSecondFactorAgain: true };

const readsOnly = /^(?:GET|HEAD|OPTIONS)$/;

/**
 * The router decodes a path before looking it up; a filter in front may not. So `/%61pi/audit` must not reach `/api/audit`.
 */
const isWrittenOut = ({ url, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.writtenAs?.test(url.split('?', 1)[0] ?? '') === true;

/** Runs before a body is read: sets the common headers, checks path, origin and access. Denied by default. */
export function guardRequests(app: FastifyInstance, deps: GuardDeps): void {
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const clientOf = createClientReader(deps.publicUrl);
  const answerUnknown = createUnknownPathAnswer(deps);
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply));
  app.setErrorHandler((error, request, reply) => {
    const failure = failureAnswerFor(error, request.routeOptions.bodyLimit);
    const facts = { requestId: request.id, route: request.routeOptions.url, err: error };
    if (failure.isServerFault) deps.logger.error(facts, 'failed');
    else if (failure.status === 503) deps.logger.warn(facts, 'unavailable');
    return sendFailure(reply, failure);
  });
  app.decorateRequest('user', null);
  app.addHook('onRequest', async (request, reply) => {
    deps.prepareReply(request, reply);
    if (request.is404 || !isWrittenOut(request)) return answerUnknown(request, reply);
    if (!readsOnly.test(request.method) && !isOwnOrigin(request.headers))
      return sendFailure(reply, foreignOrigin(deps.publicUrl));
    const { needs = strictestNeeds, readsSession = false } = request.routeOptions.config;
    if (needs.access === 'public' && !readsSession) return undefined;
    const permission = await deps.authorize(clientOf(request).sessionToken, needs);
    if (permission.ok) {
      request.user = permission.user;
      return undefined;
    }
    return sendFailure(reply, { status: permission.status, body: permission, isServerFault: false });
  });
}

interface UnknownPathDeps {
  readonly findReady: FindReady;
  readonly notFoundPage: () => ReadyAnswer;
  readonly send: SendReady;
  /** The methods that a framework route offers at a path, or none. */
  readonly methodsAt: (path: string) => readonly string[];
}

/** Answers requests that match no route and no ready answer: 405, 308, 404 as JSON under /api, else the not-found page. */
function createUnknownPathAnswer(
  deps: UnknownPathDeps,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (request, reply) => {
    // The first question mark ends the path; any later one belongs to the query.
    const [path = '/', ...queryParts] = request.url.split('?');
    const methods = deps.findReady(path) === undefined ? deps.methodsAt(path) : ['GET'];
    if (methods.length > 0 || path === '*') return answerOtherMethod(request, reply, methods);
    const canonical = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : undefined;
    if (canonical !== undefined && deps.findReady(canonical) !== undefined) {
      return reply
        .code(308)
        .header('Location', [canonical, ...queryParts].join('?'))
        .send('');
    }
    if (/^\/api(?:\/|$)/.test(path)) return sendFailure(reply, noSuchCall);
    return sendNotFoundPage(request, reply, deps);
  };
}

function answerOtherMethod(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): FastifyReply {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  reply.header('Allow', allowed);
  return request.method === 'OPTIONS' ? reply.code(204).send() : sendFailure(reply, wrongMethod(allowed));
}

function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply, deps: UnknownPathDeps): FastifyReply {
  reply.hijack();
  deps.send(request.raw, reply.raw, deps.notFoundPage(), { status: 404, requestId: request.id });
  return reply;
}

const operationPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** Finds the methods that are offered at a path, for `Allow`. */
export function createMethodLookup(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns = new Map<string, { readonly matches: RegExp; readonly methods: string[] }>();
  for (const { path, method } of routes) {
    const known = patterns.get(path) ?? { matches: patternOf(path), methods: [] };
    known.methods.push(method);
    patterns.set(path, known);
  }
  return (path) => {
    if (operationPaths.has(path)) return ['GET'];
    return [...patterns.values()].find(({ matches }) => matches.test(path))?.methods ?? [];
  };
}

/** Matches the address as it is written: a fixed word with an encoded letter (`/%61pi/audit`) does not match. */
export function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}
