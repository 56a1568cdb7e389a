import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject, serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import swagger from '@fastify/swagger';
import { createClientReader, ifMatchOf, writeCookies, cookiePlace } from './client.ts';
import { failureBody } from './failure-answer.ts';
import { patternOf } from './guard-requests.ts';
import { closed, noInput, validatorCompiler } from './validate-request.ts';
import type { Needs, Route, RouteAnswer, SessionUser } from './route.ts';
import { makeReadyJson, type ReadyAnswer } from './ready/ready-answer.ts';
import type { SendReady } from './ready/send-ready.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the access hook reads; a route without it is closed to all but full admins. */
    needs?: Needs;
    readsSession?: boolean;
    isApi?: boolean;
    /** How a path must be written to reach this route; any other spelling is not found. */
    writtenAs?: RegExp;
  }
  interface FastifyRequest {
    /** The signed-in user, set by the access hook. */
    user: SessionUser | null;
  }
}

/** `/configs/{configId}` in the router's notation: `/configs/:configId`. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Turns each route into a handler: the framework parses strictly, checks the answer and sends it. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { publicUrl, send: sendReady }: { readonly publicUrl: string; readonly send: SendReady },
): void {
  const clientOf = createClientReader(publicUrl);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const route of routes) {
    const isCacheable = route.method === 'GET' && route.access === 'public' && route.readsSession !== true;
    const send = (reply: FastifyReply, answer: RouteAnswer): FastifyReply => {
      reply.header('Cache-Control', isCacheable && statusOf(answer) < 400 ? 'no-cache' : 'no-store');
      writeCookies(reply, answer, publicUrl);
      return sendAnswer(reply, answer, sendReady);
    };
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: routerPath(route.path),
      schema: schemaOf(route),
      ...(route.body !== undefined && { bodyLimit: bodyLimitOf(route) }),
      config: {
        needs: route,
        readsSession: route.readsSession === true,
        isApi: true,
        writtenAs: patternOf(route.path),
      },
      onRequest: async (request, reply) => {
        const { params, headers } = request;
        const refusal = await route.checkFirst?.({ params, headers, client: clientOf(request) });
        return refusal === undefined || refusal === null ? undefined : send(reply, refusal);
      },
      handler: async (request, reply) => {
        const { params, query, body } = request;
        const answer = await route.handle({
          params,
          query,
          body,
          client: clientOf(request),
          user: request.user,
          ifMatch: route.isVersioned === true ? ifMatchOf(request) : null,
        });
        return send(reply, answer);
      },
    });
  }
}

function bodyLimitOf({ method, path, bodyBytes }: Route): number {
  if (bodyBytes === undefined) throw new Error(`${method} ${path} takes a body but sets no bodyBytes.`);
  return bodyBytes;
}

const versionHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe('The version that the change is based on, in double quotes: "7". If it is not the current one: 409'),
});

/** The schemas that the framework validates with and describes in /api/openapi.json. */
const schemaOf = ({ summary, access, params, query, body, method, path, failures, isVersioned, ...route }: Route) => ({
  operationId: operationIdOf(method, path),
  summary,
  security: access === 'public' ? [] : [{ session: [access] }],
  params: params === undefined ? noInput : closed(params),
  querystring: query === undefined ? noInput : closed(query),
  ...(method !== 'GET' && { body: body === undefined ? noInput : closed(body) }),
  ...(isVersioned === true && { headers: versionHeader }),
  response: {
    200: successOf(route),
    ...failures,
    default: failureBody,
  },
});

/** The call's name in generated clients: `GET /api/treasury/ledger` is `getTreasuryLedger`. */
const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/api\//, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const successOf = ({ answer, isWholeBody }: Pick<Route, 'answer' | 'isWholeBody'>) => {
  if (answer === 'raw') return { description: 'Success', content: { '*/*': { schema: z.string() } } };
  return isWholeBody === true ? answer : z.object({ data: answer });
};

const statusOf = (answer: RouteAnswer): number => ('status' in answer ? answer.status : 200);

function sendAnswer(reply: FastifyReply, answer: RouteAnswer, sendReady: SendReady): FastifyReply {
  if ('ready' in answer) {
    // Its body was not ready yet when the request came, or the address was written in an unusual way.
    const { request } = reply.hijack();
    sendReady(request.raw, reply.raw, answer.ready, { status: 200, requestId: request.id });
    return reply;
  }
  if ('download' in answer) {
    const { fileName, contentType, parts } = answer.download;
    return reply
      .header('Content-Disposition', `attachment; filename="${fileName}"`)
      .type(contentType)
      .send(Readable.from(parts));
  }
  reply.code(statusOf(answer)).type('application/json; charset=utf-8');
  return reply.send('data' in answer ? { data: answer.data } : answer.body);
}

/** Must run before the first route is added: describes the routes from the same schemas that validate (rulings R2). */
export async function describeRoutes(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sui Rocks',
        version: '1',
        description: 'Every call of the site, the treasury and the admin area.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookiePlace('session', publicUrl).name } },
      },
    },
    transform: (route) => {
      const parts = Object.entries(route.schema ?? { hide: true });
      return jsonSchemaTransform({
        ...route,
        schema: Object.fromEntries(parts.filter(([, schema]) => schema !== noInput)),
      });
    },
    transformObject: (document) => {
      const described = jsonSchemaTransformObject(document);
      // Every GET also answers HEAD.
      for (const methods of Object.values(described.paths ?? {})) delete methods?.head;
      return described;
    },
  });
}

/** Made at the first request and ready from then on: compressing it for each caller would cost more than any other answer. */
export function descriptionRoute(app: FastifyInstance): Route {
  let made: ReadyAnswer | undefined;
  const ready = (): ReadyAnswer => (made ??= makeReadyJson(app.swagger()));
  return {
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This description of all calls',
    answer: z.record(z.string(), z.unknown()),
    isWholeBody: true,
    ready,
    handle: () => ({ status: 200, ready: ready() }),
  };
}
