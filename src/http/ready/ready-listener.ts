import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { createEncodingMemory } from './accept-encoding.ts';
import type { SendReady } from './send-ready.ts';
import type { FindReady } from './ready-answer.ts';
import { givenRequestId } from '../client.ts';

export interface ReadyListenerDeps {
  readonly findReady: FindReady;
  readonly send: SendReady;
  /** Counts an answer; called once for each, so it must be cheap. */
  readonly count: (path: string, status: number) => void;
  readonly isStopping: () => boolean;
  /** Called for each request, so it must be cheap. */
  readonly onRequest?: (() => void) | undefined;
  /** The framework: answers everything that is not ready. */
  readonly next: RequestListener;
}

/**
 * The first thing that sees a request: ready answers are answered here, without touching the framework
 * (docs/decisions/0004).
 */
export function createReadyListener(deps: ReadyListenerDeps): RequestListener {
  const { findReady, send, count, next, onRequest } = deps;
  const encodingFor = createEncodingMemory();
  return (request, response) => {
    onRequest?.();
    if (namesTwoHosts(request.rawHeaders)) return refuseTwoHosts(response);
    // The last answer on a connection says so, or a keep-alive client would hold up the stop.
    if (deps.isStopping()) response.shouldKeepAlive = false;
    const [path, query] = addressOf(request);
    const body = request.method === 'GET' || request.method === 'HEAD' ? findReady(path, query) : undefined;
    if (body === undefined) return next(request, response);
    const encoding = encodingFor(request.headers['accept-encoding']);
    const requestId = givenRequestId(request.headers['x-request-id']);
    count(body.countedAs ?? path, send(request, response, body, { encoding, status: 200, requestId }));
  };
}

/** RFC 9112, 3.2: the last proxy and this server could take such a request for one to different sites. */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function refuseTwoHosts(response: ServerResponse): void {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const body = { message: 'The request names more than one Host.', code: 'two-hosts' };
  response.writeHead(400, headers).end(JSON.stringify(body));
}

function addressOf(request: IncomingMessage): readonly [path: string, query: string] {
  let url = request.url ?? '/';
  // RFC 9112, 3.2.2: a server accepts the absolute form too.
  if (url.charCodeAt(0) !== 47 && /^https?:\/\//i.test(url)) {
    url = url.replace(/^https?:\/\/[^/?]*/i, '');
    if (!url.startsWith('/')) url = `/${url}`;
    request.url = url;
  }
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}
