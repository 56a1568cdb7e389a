import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { negotiateEncoding, type Encoding, matchesTag } from '../negotiation.ts';
import type { FindReady, ReadyAnswer } from './ready-answer.ts';
import { givenRequestId } from '../client.ts';
import type { Headers } from '../security-headers.ts';

interface ReadyListenerDeps {
  readonly findReady: FindReady;
  readonly send: SendReady;
  /** Counts an answer; called once for each, so it must be cheap. */
  readonly count: (path: string, status: number) => void;
  readonly isStopping: () => boolean;
  /** Called for each request, so it must be cheap. */
  readonly onRequest: () => void;
  /** The framework: answers everything that is not ready. */
  readonly next: RequestListener;
}

/**
 * Sees each request first and sends ready answers without touching the framework (docs/decisions/0004).
 */
export function createReadyListener(deps: ReadyListenerDeps): RequestListener {
  const { findReady, send, count, next, onRequest } = deps;
  return (request, response) => {
    onRequest();
    if (namesTwoHosts(request.rawHeaders)) return refuseTwoHosts(response);
    if (request.url?.startsWith('/') === false) shortenTarget(request);
    // The last answer closes its connection, or a keep-alive client would hold up the stop.
    if (deps.isStopping()) response.shouldKeepAlive = false;
    const [path, query] = addressOf(request);
    const body = request.method === 'GET' || request.method === 'HEAD' ? findReady(path, query) : undefined;
    if (body === undefined) return next(request, response);
    const requestId = givenRequestId(request.headers['x-request-id']);
    const { countedAs = path, status = 200 } = body;
    count(countedAs, send(request, response, body, { status, requestId }));
  };
}

/** RFC 9112, 3.2: a proxy and this server could each read a different site from such a request. */
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

/** RFC 9112, 3.2.2: a target in absolute form is answered like its path, and its host replaces the header's. */
function shortenTarget(request: IncomingMessage): void {
  const [, host, rest] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

function addressOf({ url = '/' }: IncomingMessage): readonly [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

interface PreparedEncoding {
  readonly etag: string;
  readonly bytes: Buffer;
  readonly headers: string[];
  readonly notModifiedHeaders: string[];
}

type Prepared = Readonly<Record<Encoding, PreparedEncoding>>;

export type SendReady = (
  request: IncomingMessage,
  response: ServerResponse,
  body: ReadyAnswer,
  options: { readonly status: number; readonly requestId?: string | undefined },
) => number;

/**
 * Writes ready answers. The header lines of each body and encoding are built once and handed to Node as one flat array,
 * which makes this as fast as a bare `node:http` server. Returns the status that was sent.
 */
export function createReadySender(commonHeaders: Headers): SendReady {
  const prepared = new WeakMap<ReadyAnswer, Prepared>();
  const prepare = (body: ReadyAnswer): Prepared => {
    const known = prepared.get(body);
    if (known !== undefined) return known;
    const made = prepareBody(body, commonHeaders);
    prepared.set(body, made);
    return made;
  };
  return (request, response, body, { status, requestId }) => {
    const ready = prepare(body)[negotiateEncoding(request.headers['accept-encoding'])];
    const isCurrent = status === 200 && matchesTag(request.headers['if-none-match'], ready.etag);
    const headers = isCurrent ? ready.notModifiedHeaders : ready.headers;
    response.writeHead(
      isCurrent ? 304 : status,
      requestId === undefined ? headers : [...headers, 'X-Request-Id', requestId],
    );
    if (isCurrent || request.method === 'HEAD') response.end();
    else response.end(ready.bytes);
    return isCurrent ? 304 : status;
  };
}

/** Each encoding is a representation of its own, so a strong tag must differ (RFC 9110, 8.8.3.3). */
const tagFor = (etag: string, encoding: Encoding): string => etag.replace(/"$/, `-${encoding}"`);

function prepareBody(body: ReadyAnswer, commonHeaders: Headers): Prepared {
  const identity = prepareEncoding(body, body.identity, 'identity', commonHeaders);
  const encoded = (bytes: Buffer, encoding: Encoding): PreparedEncoding =>
    bytes === body.identity ? identity : prepareEncoding(body, bytes, encoding, commonHeaders);
  return { identity, gzip: encoded(body.gzip, 'gzip'), br: encoded(body.brotli, 'br') };
}

function prepareEncoding(
  body: ReadyAnswer,
  bytes: Buffer,
  encoding: Encoding,
  commonHeaders: Headers,
): PreparedEncoding {
  const etag = encoding === 'identity' ? body.etag : tagFor(body.etag, encoding);
  const kept = {
    ...commonHeaders,
    ...body.extraHeaders,
    'Cache-Control': body.cacheControl,
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  const full = {
    'Content-Type': body.contentType,
    'Content-Length': String(bytes.length),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    ...kept,
  };
  return { etag, bytes, headers: Object.entries(full).flat(), notModifiedHeaders: Object.entries(kept).flat() };
}
