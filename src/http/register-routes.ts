import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

import { createClientReader, headerOf, ifMatchOf } from './client.ts';
import { failureBody } from './failure-answer.ts';
import { patternOf } from './unknown-path.ts';
import { closed, noInput, validatorCompiler } from './read-request.ts';
import type { Access, Route, RouteAnswer, SessionUser } from './route.ts';
import { writeCookies } from './cookies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the access hook reads; a route without it is closed to all. */
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

/** `/configs/{configId}` in the router's notation: `/configs/:configId`. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Turns each row of data into a handler: the framework parses strictly, checks the answer and sends it. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], publicUrl: string): void {
  const clientOf = createClientReader(publicUrl);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const route of routes) {
    const isKept = route.method === 'GET' && route.access === 'public' && route.readsSession !== true;
    const callerOf = (request: FastifyRequest) => ({
      client: clientOf(request),
      header: route.readsHeader === undefined ? null : headerOf(request, route.readsHeader),
    });
    const send = (reply: FastifyReply, answer: RouteAnswer): FastifyReply => {
      reply.header('Cache-Control', isKept && answer.status < 400 ? 'no-cache' : 'no-store');
      writeCookies(reply, answer, publicUrl);
      return sendAnswer(reply, answer);
    };
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: routerPath(route.path),
      schema: schemaOf(route),
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
        const { params, query, body } = request;
        const answer = await route.handle({
          params,
          query,
          body,
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

/** What the framework validates by, and describes in /api/openapi.json. */
const schemaOf = ({ summary, access, params, query, body, method, answer, failures }: Route) => ({
  summary,
  security: access === 'public' ? [] : [{ session: [access] }],
  params: params === undefined ? noInput : closed(params),
  querystring: query === undefined ? noInput : closed(query),
  ...(method !== 'GET' && { body: body === undefined ? noInput : closed(body) }),
  response: {
    200: answer === 'raw' ? { description: 'Success', content: { '*/*': { schema: z.string() } } } : answer,
    ...failures,
    default: failureBody,
  },
});

function sendAnswer(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  if ('ready' in answer) return reply.sendReady(answer.ready);
  reply.code(answer.status);
  if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds);
  return reply.type('application/json; charset=utf-8').send(answer.body);
}
