import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { createClientReader, headerOf, ifMatchOf } from './client.ts';
import { failureBody } from './failure-answer.ts';
import { patternOf } from './unknown-path.ts';
import { createRequestReader } from './read-request.ts';
import type { Access, Route, RouteAnswer, SessionUser } from './route.ts';
import { writeCookies } from './cookies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the access hook reads; a route without it is closed to everybody. */
    access?: Access;
    readsSession?: boolean;
    isApi?: boolean;
    /** How the path of a request is written that came here; any other spelling of it leads nowhere. */
    writtenAs?: RegExp;
    /** See `Route.cost`. */
    cost?: Route['cost'];
  }
  interface FastifyRequest {
    /** Who is signed in, put there by the access hook. */
    user: SessionUser | null;
    /** Gives the place of an answer on demand back; null: it needs none. */
    giveBack: (() => void) | null;
  }
}

/** Thrown when a handler's answer does not fit its schema: a fault of ours, never sent half. */
class MisfitAnswer extends Error {
  override name = 'MisfitAnswer';
}

/** `/configs/{configId}` in the router's notation: `/configs/:configId`. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Turns each row of data into a handler: parse strictly, handle, check the answer, send. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], publicUrl: string): void {
  const clientOf = createClientReader(publicUrl);
  for (const route of routes) {
    const isKept = route.method === 'GET' && route.access === 'public' && route.readsSession !== true;
    const read = createRequestReader(route);
    const callerOf = (request: FastifyRequest) => ({
      client: clientOf(request),
      header: route.readsHeader === undefined ? null : headerOf(request, route.readsHeader),
    });
    const send = (reply: FastifyReply, answer: RouteAnswer): FastifyReply => {
      reply.header('Cache-Control', isKept && answer.status < 400 ? 'no-cache' : 'no-store');
      writeCookies(reply, answer, publicUrl);
      return sendAnswer(reply, route, answer);
    };
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: routerPath(route.path),
      ...(route.body !== undefined && { bodyLimit: bodyLimitOf(route) }),
      config: {
        access: route.access,
        readsSession: route.readsSession === true,
        isApi: true,
        writtenAs: patternOf(route.path),
        cost: route.cost,
      },
      onRequest: async (request, reply) => {
        const refusal = await route.checkFirst?.({ params: request.params, ...callerOf(request) });
        return refusal === undefined || refusal === null ? undefined : send(reply, refusal);
      },
      handler: async (request, reply) => {
        const parts = read(request);
        const answer = await route.handle({
          ...parts,
          ...callerOf(request),
          user: request.user,
          ifMatch: ifMatchOf(request),
        });
        return send(reply, answer);
      },
    });
  }
}

function bodyLimitOf({ method, path, bodyBytes }: Route): number {
  if (bodyBytes === undefined) throw new Error(`${method} ${path} takes a body and does not say how large: bodyBytes.`);
  return bodyBytes;
}

function sendAnswer(reply: FastifyReply, route: Route, answer: RouteAnswer): FastifyReply {
  if ('ready' in answer) return reply.sendReady(answer.ready);
  reply.code(answer.status);
  if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(checkedBody(route, answer)));
}

/** The body as its schema knows it: fields that the schema does not name do not get out. */
function checkedBody(
  route: Pick<Route, 'method' | 'path' | 'answer' | 'failures'>,
  answer: { status: number; body: unknown },
): unknown {
  const schema = answer.status >= 400 ? (route.failures?.[answer.status] ?? failureBody) : route.answer;
  const parsed = schema === 'raw' ? undefined : schema.safeParse(answer.body);
  if (parsed?.success === true) return parsed.data;
  const reason = parsed === undefined ? 'it is declared raw' : z.prettifyError(parsed.error);
  throw new MisfitAnswer(`${route.method} ${route.path} answered ${answer.status} against its schema: ${reason}`);
}
