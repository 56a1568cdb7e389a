import { type RequestListener, STATUS_CODES, createServer } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Socket } from 'node:net';

import { type ServerLimits, closeSlowReaders } from './limits.ts';
import { requestIdFor } from './client.ts';

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
    // A proxy on this machine, or one the operator names, may say whose request it forwards; others could say anything.
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

const answers = {
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'The headers or the address are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request-timeout', 'The request took too long to arrive.'],
} as const;
const malformed = [400, 'malformed-request', 'The request is not valid HTTP.'] as const;

/** Node keeps the answer that is being written on this connection here (node:lib/_http_server.js, onParserExecuteCommon). */
type HttpSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Answers what Node could not even read as HTTP, on the bare socket, and ends the connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: HttpSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Rubbish behind a good request: that one's answer is on its way, and a second one would be taken for part of it.
  if (socket._httpMessage?.headersSent === true) {
    socket.destroySoon();
    return;
  }
  const [status, code, message] = answers[error.code as keyof typeof answers] ?? malformed;
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
