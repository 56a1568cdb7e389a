import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Logger } from '../process/logger.ts';
import { type Authorize, findReadyAmong, type Route } from './route.ts';
import { createApp } from './create-app.ts';
import { failureAnswerFor, sendFailure } from './failure-answer.ts';
import { finishAnswers } from './finish-answer.ts';
import { guardRequests } from './guard-requests.ts';
import { createReadySender, offerReadyAnswers } from './ready/send-ready.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';
import { createReadyListener } from './ready/ready-listener.ts';
import { type ServerLimits, defaultLimits } from './limits.ts';
import { createMethodLookup } from './unknown-path.ts';
import { type Metrics, watchAnswers } from './metrics.ts';
import { createOnDemandBound } from './on-demand.ts';
import { describeRoutes, descriptionRoute } from './openapi.ts';
import { type OperationsDeps, registerOperations } from './operations.ts';
import { registerRoutes } from './register-routes.ts';
import { securityHeaders } from './security-headers.ts';

export interface ServerDeps extends OperationsDeps {
  readonly publicUrl: string;
  /** Besides this machine: addresses and networks (CIDR) whose `X-Forwarded-For` counts. */
  readonly trustedProxies?: readonly string[];
  readonly routes: readonly Route[];
  /** Pages and files, by path; asked on every GET and HEAD, so it may change while the server runs. */
  readonly findPage: FindReady;
  readonly notFoundPage: () => ReadyAnswer;
  readonly authorize: Authorize;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly limits?: Partial<ServerLimits>;
  /** Called for each request. */
  readonly onRequest?: () => void;
}

export interface RunningServer {
  /** Resolves to the address it listens on. Rejects with the system's error, e.g. EADDRINUSE. */
  listen(place: { readonly port: number; readonly host: string }): Promise<string>;
  /** Stops accepting, lets running answers finish, and is done within `limits.stopWithinMs`. */
  stop(): Promise<void>;
}

/** The HTTP app: ready answers first, then the framework with its routes as data (docs/decisions/0004 and 0005). */
export async function createServer(deps: ServerDeps): Promise<RunningServer> {
  const limits = { ...defaultLimits, ...deps.limits };
  const commonHeaders = securityHeaders(deps.publicUrl);
  const send = createReadySender(commonHeaders);
  let stopping = false;
  const prepareReply = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(commonHeaders).header('X-Request-Id', request.id);
  };
  const app: FastifyInstance = createApp({
    limits,
    trustedProxies: deps.trustedProxies ?? [],
    listenerFor: (next) =>
      createReadyListener({
        findReady: (path, query) => findReady(path, query),
        send,
        count: (path, status) => deps.metrics.countReady(path, status),
        isStopping: () => stopping,
        onRequest: deps.onRequest,
        next,
      }),
    answerEarlyError: (request, reply, error) => {
      prepareReply(request, reply);
      sendFailure(reply, failureAnswerFor(error));
    },
  });
  const routes = [...deps.routes, descriptionRoute(app)];
  const findReadyRoute = findReadyAmong(routes);
  const findReady: FindReady = (path, query) => findReadyRoute(path, query) ?? deps.findPage(path);
  const onDemand = createOnDemandBound(limits.onDemandAtOnce);
  guardRequests(app, { ...deps, findReady, onDemand, prepareReply, send, methodsAt: createMethodLookup(routes) });
  finishAnswers(app);
  offerReadyAnswers(app, send);
  watchAnswers(app, deps);
  await describeRoutes(app, deps.publicUrl);
  registerOperations(app, deps);
  registerRoutes(app, routes, deps.publicUrl);
  await app.ready();
  return {
    listen: ({ port, host }) => app.listen({ port, host, backlog: limits.waitingConnections }),
    stop: async () => {
      stopping = true;
      const force = setTimeout(() => app.server.closeAllConnections(), limits.stopWithinMs);
      await app.close();
      clearTimeout(force);
    },
  };
}
