import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { createServer as createNodeServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { withTimeout } from '../process/in-time.ts';
import type { Logger } from '../process/logger.ts';
import { type Authorize, findReadyAmong, type Route } from './route.ts';
import { failureAnswerFor, sendFailure } from './failure-answer.ts';
import { finishAnswers } from './negotiation.ts';
import { guardRequests, createMethodLookup } from './guard-requests.ts';
import { createReadySender, createReadyListener } from './ready/send-ready.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';
import { type Metrics, watchAnswers, type OperationsDeps, registerOperations } from './operations.ts';
import { describeRoutes, descriptionRoute, registerRoutes } from './register-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { requestIdFor } from './client.ts';

export interface ServerDeps extends OperationsDeps {
  readonly publicUrl: string;
  /** Besides this machine: addresses and networks (CIDR) whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly routes: readonly Route[];
  /** Finds pages and files by path; called for every GET and HEAD, so the pages may change while the server runs. */
  readonly findPage: FindReady;
  readonly notFoundPage: () => ReadyAnswer;
  readonly authorize: Authorize;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly limits?: Partial<ServerLimits>;
  /** Called for each request, so it must be cheap. */
  readonly onRequest: () => void;
}

export type RunningServer = Awaited<ReturnType<typeof createServer>>;

/** The HTTP app: ready answers first, then the framework with its routes as data (docs/decisions/0004 and 0005). */
export async function createServer(deps: ServerDeps) {
  const limits = { ...defaultLimits, ...deps.limits };
  const commonHeaders = securityHeaders(deps.publicUrl);
  const send = createReadySender(commonHeaders);
  let stopping = false;
  const prepareReply = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(commonHeaders).header('X-Request-Id', request.id);
  };
  const app: FastifyInstance = createApp({
    limits,
    trustedProxies: deps.trustedProxies,
    listenerFor: (next) =>
      createReadyListener({
        // Known below: one of the routes describes this app.
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
  const findReady: FindReady = (path, query) => findReadyRoute(path, query) ?? deps.findPage(path, query);
  guardRequests(app, { ...deps, findReady, prepareReply, send, methodsAt: createMethodLookup(routes) });
  finishAnswers(app);
  watchAnswers(app, deps);
  await describeRoutes(app, deps.publicUrl);
  registerOperations(app, deps);
  registerRoutes(app, routes, { publicUrl: deps.publicUrl, send });
  await app.ready();
  return {
    /** Resolves to the address it listens on. Rejects with the system's error, e.g. EADDRINUSE. */
    listen: ({ port, host }: { readonly port: number; readonly host: string }): Promise<string> =>
      app.listen({ port, host, backlog: limits.waitingConnections }),
    /** Stops accepting connections and lets running answers finish, for at most `limits.stopWithinMs`. */
    stop: async (): Promise<void> => {
      stopping = true;
      const closed = app.close();
      await withTimeout(closed, limits.stopWithinMs, () => app.server.closeAllConnections());
      await closed;
    },
  };
}

interface AppDeps {
  readonly limits: ServerLimits;
  readonly trustedProxies: readonly string[];
  /** Wraps the framework in a listener that sees each request first. */
  readonly listenerFor: (next: RequestListener) => RequestListener;
  /** Answers what the framework refuses before it has found a route. */
  readonly answerEarlyError: (request: FastifyRequest, reply: FastifyReply, error: unknown) => void;
}

/** The bare framework with its limits: JSON bodies only, no logging of its own. */
function createApp({ limits, trustedProxies, listenerFor, answerEarlyError }: AppDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    // A proxy on this machine, or one the operator names, may say whose request it forwards; others could say anything.
    trustProxy: ['loopback', ...trustedProxies],
    // The router's own HEAD answers break on a 304 without a body; routes declare GET and HEAD themselves.
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
      const server = createNodeServer(
        {
          maxHeaderSize: limits.headerBytes,
          headersTimeout: limits.headersWithinMs,
          requestTimeout: limits.requestWithinMs,
          connectionsCheckingInterval: limits.checkConnectionsEveryMs,
          keepAliveTimeout: limits.keepAliveMs,
        },
        listener,
      );
      // Node would answer an unknown Expect header without our headers: it is ignored instead (RFC 9110, 10.1.1).
      server.on('checkExpectation', listener);
      // Closes a connection on which nothing moves, for instance when the client has stopped reading.
      server.timeout = limits.idleMs;
      closeSlowReaders(server, limits);
      return server;
    },
  });
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients send the content type even for calls without a body, such as `init` and `logout`.
    if (body === '') done(null, undefined);
    else void parseJson(request, String(body), done);
  });
  return app;
}

const brokenRequestAnswers = {
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'The headers or the address are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request-timeout', 'The request took too long to arrive.'],
} as const;
const malformed = [400, 'malformed-request', 'The request is not valid HTTP.'] as const;

/** Where Node keeps the answer being written on this connection (node:lib/_http_server.js, onParserExecuteCommon). */
type HttpSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Answers a request that Node could not parse as HTTP, on the bare socket, and closes the connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: HttpSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Rubbish after a good request: its answer is on its way, and a second answer would be taken for part of it.
  if (socket._httpMessage?.headersSent === true) {
    socket.destroySoon();
    return;
  }
  const [status, code, message] = brokenRequestAnswers[error.code as keyof typeof brokenRequestAnswers] ?? malformed;
  const body = JSON.stringify({ message, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** How much and how long a client may take. */
interface ServerLimits {
  /** For calls without a body; the others set their own limit (`Route.bodyBytes`). */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  readonly checkConnectionsEveryMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  /** A client that reads less than this while more data waits is disconnected. */
  readonly leastBytesPerSecond: number;
  /** How often the reading rate is checked; a slow client is disconnected within twice that time. */
  readonly rateOverMs: number;
  readonly stopWithinMs: number;
  /** Connections that may wait to be accepted; the system's own limit (Linux: `net.core.somaxconn`) applies too. */
  readonly waitingConnections: number;
}

const defaultLimits: ServerLimits = {
  // `{}` and some spaces, which clients send where a call has no body.
  bodyBytes: 1_024,
  headerBytes: 16 * 1_024,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  checkConnectionsEveryMs: 2_000,
  // Longer than the usual 60 s of a proxy in front, so that the proxy closes first.
  keepAliveMs: 65_000,
  idleMs: 120_000,
  leastBytesPerSecond: 1_024,
  rateOverMs: 10_000,
  // The whole product has 5 s to stop, and the database stops after this.
  stopWithinMs: 2_000,
  // With Node's default of 511, the rest of a thousand simultaneous connections are dropped and retried a second later.
  waitingConnections: 4_096,
};

/** Where Node counts the bytes handed to the system and still waiting (node:lib/net.js, `_onTimeout`); there is no public API. */
type WatchedSocket = Socket & { readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } };

/**
 * Disconnects clients that read their answer too slowly. The idle timeout never ends a client that reads a few bytes now and then,
 * so its answer would stay in memory for ever.
 */
function closeSlowReaders(server: Server, { leastBytesPerSecond, rateOverMs }: ServerLimits): void {
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
