import { createServer, type RequestListener } from 'node:http';

import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { answerBrokenRequest } from './broken-request.ts';
import { closeSlowReaders } from './least-rate.ts';
import type { ServerLimits } from './limits.ts';
import { requestIdFor } from './request-id.ts';

export interface AppDeps {
  readonly limits: ServerLimits;
  readonly trustedProxies: readonly string[];
  /** Wraps the framework in what sees a request before it. */
  readonly listenerFor: (next: RequestListener) => RequestListener;
  /** Answers what the framework refuses before it has found a route. */
  readonly answerEarlyError: (request: FastifyRequest, reply: FastifyReply, error: unknown) => void;
}

/** The bare framework with its limits: JSON bodies only, no logging of its own. */
export function createApp({ limits, trustedProxies, listenerFor, answerEarlyError }: AppDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    // A proxy on this machine, or one the operator names, may say whom it speaks for; anybody else could say anything.
    trustProxy: ['loopback', ...trustedProxies],
    // The router's own HEAD answers break on a 304 without a body; routes say GET and HEAD themselves.
    exposeHeadRoutes: false,
    bodyLimit: limits.bodyBytes,
    return503OnClosing: false,
    genReqId: (request) => requestIdFor(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => {
      answerEarlyError(request, reply, error);
    },
    clientErrorHandler: answerBrokenRequest,
    serverFactory: (handler) => {
      const listener = listenerFor(handler);
      const server = createServer(
        {
          maxHeaderSize: limits.headerBytes,
          headersTimeout: limits.headersWithinMs,
          requestTimeout: limits.requestWithinMs,
          connectionsCheckingInterval: limits.checkConnectionsEveryMs,
          keepAliveTimeout: limits.keepAliveMs,
        },
        listener,
      );
      // Node's own answer to an expectation it does not know has no headers of ours: such a wish is ignored (RFC 9110, 10.1.1).
      server.on('checkExpectation', listener);
      // A connection on which nothing moves, for instance a reader that stopped reading.
      server.setTimeout(limits.idleMs);
      closeSlowReaders(server, limits);
      return server;
    },
  });
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients name the type even where a call has no body; `init` and `logout` are such calls.
    if (body === '') done(null, undefined);
    else void parseJson(request, String(body), done);
  });
  return app;
}
