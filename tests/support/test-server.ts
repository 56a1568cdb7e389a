import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';

import { z } from 'zod';

import { createLogger } from '../../src/process/logger.ts';
import { Invalid, Refused, Unavailable } from '../../src/shared/failure.ts';
import type { Authorize, Route } from '../../src/http/route.ts';
import { type RunningServer, type ServerDeps, createServer } from '../../src/http/create-server.ts';
import { type ReadyAnswer, makeReadyAnswer, makeReadyJson } from '../../src/http/ready/ready-answer.ts';
import { createMetrics } from '../../src/http/operations.ts';

/** The answer as received: header names in lower case, the body as sent. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TestServer {
  readonly server: RunningServer;
  readonly port: number;
  readonly log: () => string;
  ask(path: string, options?: AskOptions): Promise<WireAnswer>;
  /** Sends these bytes and reads until the server closes. */
  askRaw(bytes: string): Promise<string>;
}

const page = (text: string): ReadyAnswer =>
  makeReadyAnswer(`<!doctype html><title>${text}</title>${'<p>rock</p>'.repeat(60)}`, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    extraHeaders: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'" },
  });

export const sampleFindReady: ReadonlyMap<string, ReadyAnswer> = new Map([
  ['/', page('home')],
  ['/nft', page('nft')],
  ['/api/treasury/balance', makeReadyJson({ data: 'rock '.repeat(100) })],
]);

const file = makeReadyAnswer(`a,b\n${'rock,rock\n'.repeat(100)}`, {
  contentType: 'text/csv; charset=utf-8',
  cacheControl: 'no-cache',
  extraHeaders: { 'Content-Disposition': 'attachment; filename="rocks.csv"' },
});

const echo = {
  bodyBytes: 64 * 1_024,
  params: z.object({ id: z.string().max(20) }),
  body: z.object({ count: z.int().min(0) }),
};
const always =
  (body: unknown, status = 200): Route['handle'] =>
  () => ({ status, body });
const failing =
  (error: unknown): Route['handle'] =>
  () => {
    throw error;
  };
const get = (path: string, handle: Route['handle'], more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  access: 'public',
  summary: path,
  answer: z.string(),
  handle,
  ...more,
});

/** One route for each way in which a route can succeed or fail. */
export const sampleRoutes: readonly Route[] = [
  get('/api/treasury/balance', always({ data: 'from the framework' })),
  get('/api/hello', always({ data: 'hello', hidden: 'not in the schema' })),
  get('/api/rows', always({ data: [{ id: 1, nft: { name: 'Rock #7', hidden: 9n }, hidden: new Date() }] }), {
    answer: z.array(z.object({ id: z.int(), nft: z.object({ name: z.string() }) })),
  }),
  get('/api/long', always({ data: 'rock '.repeat(1_000) })),
  get('/api/days', ({ query }) => ({ data: JSON.stringify(query) }), {
    query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30) }),
  }),
  get('/api/misfit', always({ data: 7 })),
  get('/api/refused-by-answer', always({ message: 'Not now.', code: 'not-now' }, 409)),
  get('/api/unavailable', failing(new Unavailable('market-silent', 'upstream said: s3cret', undefined, 7_000))),
  get('/api/refused', failing(new Refused('too-many', 'That is one too many.'))),
  get('/api/invalid', failing(new Invalid('no-rock', 'That is no rock.'))),
  get('/api/broken', failing(new Error('password s3cret in SELECT'))),
  get('/api/file.csv', () => ({ status: 200, ready: file }), { answer: 'raw' }),
  get('/api/mine', always({ data: 'mine' }), { access: 'dashboard' }),
  get('/api/admin', always({ data: 'admin' }), { access: 'admin' }),
  get('/api/echo/{id}', ({ params, body }) => ({ data: JSON.stringify({ params, body }) }), {
    method: 'POST',
    isVersioned: true,
    ...echo,
  }),
  get('/api/init', always({ data: 'done' }), { method: 'POST' }),
];

const noOneSignedIn: Authorize = () => ({
  ok: false,
  status: 401,
  code: 'not-signed-in',
  message: 'Sign in first: this call needs an account.',
});

/** The whole app on that port of 127.0.0.1, by default a free one. */
export async function startTestServer(deps: Partial<ServerDeps> = {}, listenPort = 0): Promise<TestServer> {
  let log = '';
  const server = await createServer({
    publicUrl: 'https://sui.rocks',
    trustedProxies: [],
    routes: sampleRoutes,
    findPage: (path) => sampleFindReady.get(path),
    notFoundPage: () => page('Rock Not Found!'),
    authorize: noOneSignedIn,
    readiness: () => ({ ready: true }),
    metrics: createMetrics(),
    metricsToken: null,
    logger: createLogger('info', { write: (line: string) => void (log += line) }),
    onRequest: () => {},
    ...deps,
  });
  const port = Number(new URL(await server.listen({ port: listenPort, host: '127.0.0.1' })).port);
  return {
    server,
    port,
    log: () => log,
    ask: (path, options) => ask(port, path, options),
    askRaw: (bytes) => askRaw(port, bytes),
  };
}

function ask(port: number, path: string, options: AskOptions = {}): Promise<WireAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  const framed = { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: framed, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
    });
    request.end(body);
  });
}

function askRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
