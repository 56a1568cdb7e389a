import type { z } from 'zod';

/** Who may call a route. Declared beside each route; a route without it does not compile (architecture rule 6). */
export type Access = 'public' | 'signed-in' | 'admin';

/** What a handler is given: everything is already parsed by the route's schemas. */
export interface RouteRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What a handler answers. `body` is checked against the route's answer schema; `raw` is sent as it is. */
export type RouteAnswer =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly raw: string; readonly contentType: string; readonly fileName?: string };

/** One row of specification 7: data that the server turns into a handler and a line of the OpenAPI description. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In the notation of the specification: `/api/telegram/configs/{configId}`. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Schema of the success answer; `'raw'` for downloads. */
  readonly answer: z.ZodType | 'raw';
  readonly handle: (request: RouteRequest) => Promise<RouteAnswer> | RouteAnswer;
}
