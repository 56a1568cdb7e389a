import type { RouteRequest } from '../../src/http/route.ts';

/** What a handler is given for a call by nobody in particular, with these differences. */
export const routeRequest = (given: Partial<RouteRequest> = {}): RouteRequest => ({
  params: {},
  query: {},
  body: undefined,
  user: null,
  client: { address: '192.0.2.1', sessionToken: null, deviceToken: null },
  ifMatch: null,
  ...given,
});
