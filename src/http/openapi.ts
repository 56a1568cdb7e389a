import { z } from 'zod';

import { cookiePlace } from './cookies.ts';
import { failureBody } from './failure-answer.ts';
import { type HotBodies, type HotBody, makeHotJson } from './ready-answer.ts';
import { closed } from './read-request.ts';
import type { Route } from './route.ts';

type JsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] };

export interface CallDescription {
  readonly route: Route;
  readonly hotBodies: HotBodies;
}

/**
 * `GET /api/openapi.json` (rulings R2): made from the very schemas that validate, when first asked for, and ready from then on.
 * Compressed for each caller anew it would be by far the dearest answer that a stranger can ask for.
 */
export function describeCalls(routes: readonly Route[], publicUrl: string): CallDescription {
  const describe = (): unknown => describeRoutes([...routes, route], publicUrl);
  const route: Route = {
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This description of all calls',
    answer: z.record(z.string(), z.unknown()),
    handle: () => ({ status: 200, body: describe() }),
  };
  let ready: HotBody | undefined;
  return { route, hotBodies: (path) => (path === route.path ? (ready ??= makeHotJson(describe())) : undefined) };
}

function describeRoutes(routes: readonly Route[], publicUrl: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sui Rocks', version: '1', description: 'Every call of the site, the treasury and the admin area.' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Failure: schemaOf(failureBody, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookiePlace('session', publicUrl).name } },
    },
  };
}

function describeRoute(route: Route): unknown {
  const parameters = [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')];
  return {
    summary: route.summary,
    security: route.access === 'public' ? [] : [{ session: [route.access] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(closed(route.body), 'input') } },
          },
        }),
    responses: {
      '200': {
        description: 'Success',
        content:
          route.answer === 'raw'
            ? { '*/*': { schema: { type: 'string' } } }
            : { 'application/json': { schema: schemaOf(route.answer, 'output') } },
      },
      ...failureResponses(route),
      default: {
        description: 'Failure',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

function failureResponses({ failures = {} }: Route): Record<string, unknown> {
  const describe = (schema: z.ZodType): unknown => ({
    description: 'Failure',
    content: { 'application/json': { schema: schemaOf(schema, 'output') } },
  });
  return Object.fromEntries(Object.entries(failures).map(([status, schema]) => [status, describe(schema)]));
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): unknown[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}
