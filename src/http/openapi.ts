import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

import { cookiePlace } from './cookies.ts';
import { failureBody } from './failure-answer.ts';
import { noInput } from './read-request.ts';
import { makeReadyJson, type ReadyAnswer } from './ready/ready-answer.ts';
import type { Route } from './route.ts';

const schemaRegistry = z.registry<{ id: string }>();
schemaRegistry.add(failureBody, { id: 'Failure' });

/** Before the first route: describes all that follow, from the very schemas that validate (rulings R2). */
export async function describeRoutes(app: FastifyInstance, publicUrl: string): Promise<void> {
  const transform = createJsonSchemaTransform({ schemaRegistry });
  const withComponents = createJsonSchemaTransformObject({ schemaRegistry });
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
      return transform({ ...route, schema: Object.fromEntries(parts.filter(([, schema]) => schema !== noInput)) });
    },
    transformObject: (document) => {
      const described = withComponents(document);
      // Every GET answers HEAD as well.
      for (const methods of Object.values(described.paths ?? {})) delete methods?.head;
      return described;
    },
  });
}

/** Made when first asked for and ready from then on: compressed for each caller anew it would cost more than any other answer. */
export function descriptionRoute(app: FastifyInstance): Route {
  let made: ReadyAnswer | undefined;
  const ready = (): ReadyAnswer => (made ??= makeReadyJson(app.swagger()));
  return {
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This description of all calls',
    answer: z.record(z.string(), z.unknown()),
    ready,
    handle: () => ({ status: 200, ready: ready() }),
  };
}
