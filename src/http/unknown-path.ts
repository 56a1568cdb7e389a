import type { FastifyReply, FastifyRequest } from 'fastify';

import { negotiateEncoding } from './ready/accept-encoding.ts';
import { addressTooLong, noSuchCall, sendFailure, wrongMethod } from './failure-answer.ts';
import type { SendReady } from './ready/send-ready.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';
import type { Route } from './route.ts';

export interface UnknownPathDeps {
  readonly findReady: FindReady;
  readonly notFoundPage: () => ReadyAnswer;
  readonly send: SendReady;
  /** The methods that a framework route offers at a path, or none. */
  readonly methodsAt: (path: string) => readonly string[];
}

const longestAddress = 4_096;

/** Answers what neither a route nor a ready answer answered: 405, 308, 404 as JSON under /api, else the not-found page. */
export function createUnknownPathAnswer(
  deps: UnknownPathDeps,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (request, reply) => {
    if (request.url.length > longestAddress) return sendFailure(reply, addressTooLong);
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
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  reply.hijack();
  deps.send(request.raw, reply.raw, deps.notFoundPage(), { encoding, status: 404, requestId: request.id });
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

/** As the address is written: a fixed word with an encoded letter (`/%61pi/audit`) is another word. */
export function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}
