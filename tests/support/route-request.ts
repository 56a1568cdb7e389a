import type { Route, RouteAnswer, RouteRequest } from '../../src/http/route.ts';

/** What a handler is given for a call by nobody in particular, with these differences. */
export const routeRequest = (given: Partial<RouteRequest> = {}): RouteRequest => ({
  params: {},
  query: {},
  body: undefined,
  user: null,
  client: { address: '192.0.2.1', sessionToken: null, deviceToken: null, challengeToken: null, userAgent: null },
  ifMatch: null,
  ...given,
});

/** Calls a handler with what the route's schemas make of a call, as the server does; rejects where they refuse it. */
export async function askRoute(route: Route, given: Partial<RouteRequest> = {}): Promise<RouteAnswer> {
  const request = routeRequest(given);
  const parsed = (part: 'params' | 'query' | 'body'): unknown => route[part]?.parse(request[part]);
  return route.handle({ ...request, params: parsed('params'), query: parsed('query'), body: parsed('body') });
}
