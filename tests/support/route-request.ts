import * as z from 'zod/mini';

import type { Route, RouteAnswer, RouteRequest } from '../../src/http/route.ts';

/** A handler's request for an anonymous call, with these differences. */
export const routeRequest = (given: Partial<RouteRequest> = {}): RouteRequest => ({
  params: {},
  query: {},
  body: undefined,
  user: null,
  client: { address: '192.0.2.1', sessionToken: null, deviceToken: null, challengeToken: null, userAgent: null },
  ifMatch: null,
  ...given,
});

/** Calls a handler with a request parsed by the route's schemas, as the server does; rejects if they refuse it. */
export async function askRoute(route: Route, given: Partial<RouteRequest> = {}): Promise<SentAnswer> {
  const request = routeRequest(given);
  const parsed = (part: 'params' | 'query' | 'body'): unknown => route[part]?.parse(request[part]);
  const answer = await route.handle({
    ...request,
    params: parsed('params'),
    query: parsed('query'),
    body: parsed('body'),
  });
  return 'data' in answer ? { ...answer, status: 200, body: { data: answer.data } } : answer;
}

/** As the server sends it. */
export type SentAnswer = Exclude<RouteAnswer, { readonly data: unknown }>;

/** The `data` of a call's answer (rulings R2), exactly as its contract describes it. */
export const dataOf = <Schema extends z.core.$ZodType>(schema: Schema, body: unknown): z.output<Schema> =>
  z.parse(schema, z.object({ data: z.unknown() }).parse(body).data);
