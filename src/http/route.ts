import type { IncomingHttpHeaders } from 'node:http';

import type { z } from 'zod';
import type { ZodMiniType } from 'zod/mini';

import type { NeededRight, Rights } from '../shared/rights.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';
import { Invalid, Refused } from '../shared/failure.ts';

/**
 * Who may call a route. Declared beside each route; a route without it does not compile (architecture rule 6). In the admin area:
 * `dashboard`, everyone who may enter it; `operator` and `treasurer`, those and full admins; `admin`, only full admins.
 */
type Access = 'public' | NeededRight;

/** The signed-in user, as the session has it. */
export interface SessionUser {
  readonly id: string;
  readonly username: string;
  /** Specification 3: whether they may enter the admin area. */
  readonly isAdmin: boolean;
  /** What they may do there; null: no access. */
  readonly rights: Rights | null;
}

/** Where a call comes from. The tokens are as the cookies hold them, unchecked. */
export interface Client {
  /** IP address; behind a proxy on this machine or a trusted one, the address that the proxy names. */
  readonly address: string;
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
  readonly challengeToken: string | null;
  /** The browser's User-Agent header. */
  readonly userAgent: string | null;
}

/** What a handler is given: `params`, `query` and `body` are already parsed by the route's schemas. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Always null on a route with access 'public', unless it `readsSession`; never null on any other. */
  readonly user: SessionUser | null;
  readonly client: Client;
  /** On a route that `isVersioned`: the header `If-Match` without its quotes, the version that a save was made from. */
  readonly ifMatch: string | null;
}

/** A value for a cookie that no script can read, and when it expires. */
export interface CookieToken {
  readonly token: string;
  readonly expiresAt: Date;
}

interface AnswerCookies {
  /** Written into the cookie `session`; 'clear' deletes it. */
  readonly session?: CookieToken | 'clear' | undefined;
  /** Written into the cookie `device`, by which a login recognizes a browser that has signed in before. */
  readonly device?: CookieToken | undefined;
  /** Written into the cookie `challenge`, by which the second step of a login recognizes its browser; 'clear' deletes it. */
  readonly challenge?: CookieToken | 'clear' | undefined;
}

/** What a handler answers. `data` and `body` are checked against the route's schemas; `ready` is sent as it is. */
export type RouteAnswer =
  /** Success (rulings R2): the body is `{"data": …}`. */
  | ({ readonly data: unknown } & AnswerCookies)
  /** A failure, or a success with a body of its own. */
  | ({ readonly status: number; readonly body: unknown } & AnswerCookies)
  | { readonly status: 200; readonly download: Download }
  /** Already compressed and the same for everyone; sent even if the request reached the framework (docs/decisions/0004). */
  | { readonly status: 200; readonly ready: ReadyAnswer };

/** A file that is sent while it is made: any length in little memory. */
interface Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly parts: Iterable<string> | AsyncIterable<string>;
}

/** One row of specification 7: data that the server turns into a handler and an entry in the OpenAPI description. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In the notation of the specification: `/api/telegram/configs/{configId}`. */
  readonly path: string;
  readonly access: Access;
  /**
   * For actions that must not be possible with a stolen session. The call is refused with 403 `second-factor-required`, before its body
   * is read, unless this session gave a second factor within the last ten minutes (`POST /api/auth/confirm`). Accounts without a second
   * factor pass. Pages need no code for it: `useApiMutation`, `useVersionedChange` and `useConfirmedCall` show the dialog and then repeat
   * the call (src/ui/api/use-answer.ts). Not on a public route.
   */
  readonly needsSecondFactorAgain?: true;
  /** On a public route: look up the session anyway. The answer is then never cached. */
  readonly readsSession?: boolean;
  readonly summary: string;
  /**
   * Runs before the body is read, so that refusing a caller costs no parsing. An answer ends the call, null lets it go on.
   * `params` come from the address, not parsed yet.
   */
  readonly checkFirst?: (
    request: Pick<RouteRequest, 'params' | 'client'> & { readonly headers: IncomingHttpHeaders },
  ) => Promise<RouteAnswer | null> | RouteAnswer | null;
  /** How large the body may be; required on a route with a body (registerRoutes throws otherwise). */
  readonly bodyBytes?: number;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Whether the handler gets `ifMatch`; the description then has the header `If-Match`. */
  readonly isVersioned?: boolean;
  /** Schema of the `data` of a success; `'raw'` for downloads. */
  readonly answer: z.ZodType | ZodMiniType | 'raw';
  /** `answer` is the schema of the whole body: `{"user": …}` of the auth calls (rulings R2). */
  readonly isWholeBody?: true;
  /** By status: schema of a failure answer that is not `{message, code}`. */
  readonly failures?: Readonly<Record<number, z.ZodType | ZodMiniType>>;
  /**
   * For a GET whose answer is the same for everyone: while it is ready, it is sent without the framework (decision 0004).
   * `query` is the part after the question mark, always empty on a route without a query schema. undefined: `handle` answers.
   */
  readonly ready?: (query: string) => ReadyAnswer | undefined;
  readonly handle: (request: RouteRequest) => Promise<RouteAnswer> | RouteAnswer;
}

/** The ready answers of these routes, by path. A query that a route does not take is refused as without a ready answer. */
export function findReadyAmong(routes: readonly Route[]): FindReady {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return (path, query = '') => {
    const route = byPath.get(path);
    return query !== '' && route?.query === undefined ? undefined : route?.ready?.(query);
  };
}

type Schema = z.ZodType | undefined;
/** undefined where the route declares no schema. */
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

/** A route as it is written: its handler gets exactly what its own schemas let through. */
interface TypedRoute<Params extends Schema, Query extends Schema, Body extends Schema> extends Omit<Route, 'handle'> {
  readonly params?: Params & z.ZodType;
  readonly query?: Query & z.ZodType;
  readonly body?: Body & z.ZodType;
  readonly handle: (
    request: RouteRequest<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Promise<RouteAnswer> | RouteAnswer;
}

/** Drops the schema types, since the list of all routes has none. Each request is still parsed by these schemas (registerRoutes). */
export const defineRoute = <
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  route: TypedRoute<Params, Query, Body>,
): Route => route as Route;

/** Whether a caller may go on, or the answer they get instead (rulings R2: 401 without a session, 403 without the right). */
type Permission =
  | { readonly ok: true; readonly user: SessionUser | null }
  | { readonly ok: false; readonly status: 401 | 403; readonly code: string; readonly message: string };

/** What a call needs from its session. */
export type Needs = Pick<Route, 'access' | 'needsSecondFactorAgain'>;

/** Called for every call that is not public, and for public calls that read the session, which are always allowed. */
export type Authorize = (sessionToken: string | null, needs: Needs) => Promise<Permission> | Permission;

/** The signed-in user as the audit log names them. Admin calls always have one. */
export function adminOf(user: Pick<SessionUser, 'id' | 'username'> | null) {
  if (user === null) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return { kind: 'admin', userId: user.id, name: user.username } as const;
}
export type Admin = ReturnType<typeof adminOf>;

/** The version of an `If-Match` header; null without one. Throws Invalid. */
export function versionOf(ifMatch: string | null): number | null {
  if (ifMatch === null || ifMatch === '*') return null;
  if (!/^\d{1,15}$/.test(ifMatch))
    throw new Invalid('invalid-if-match', 'If-Match must be the version that was changed, a whole number.');
  return Number(ifMatch);
}

/** An expected refusal (rulings R2): one sentence a person can act on, and a stable code. */
export const failure = (status: number, code: string, message: string): RouteAnswer => ({
  status,
  body: { message, code },
});
