import type { z } from 'zod';

import type { NeededRight, Rights } from '../shared/rights.ts';
import type { FindReady, ReadyAnswer } from './ready/ready-answer.ts';
import { Invalid, Refused } from '../shared/failure.ts';

/**
 * Who may call a route. Declared beside each route; a route without it does not compile (architecture rule 6). In the admin area:
 * `dashboard`, everybody who may enter it; `operator` and `treasurer`, those and full admins; `admin`, full admins alone.
 */
type Access = 'public' | NeededRight;

/** Who is signed in, as a session says it. */
export interface SessionUser {
  readonly id: string;
  readonly username: string;
  /** Specification 3: whether they may enter the admin area. */
  readonly isAdmin: boolean;
  /** What they may do there; null: they may not enter it. */
  readonly rights: Rights | null;
}

/** Where a call comes from. The tokens are as the cookies hold them, unchecked. */
export interface Client {
  /** IP address; behind a proxy on this machine, the one that the proxy names. */
  readonly address: string;
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
  readonly challengeToken: string | null;
  /** What the browser says it is. */
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
  /** The header `If-Match` without its quotes: the version that a save was made from. */
  readonly ifMatch: string | null;
  /** The header that the route `readsHeader`, if it came. */
  readonly header?: string | null;
}

/** A value for a cookie that no script can read, and its end. */
export interface CookieToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** What a handler answers. `body` is checked against the route's answer schema; `ready` is sent as it is. */
export type RouteAnswer =
  | {
      readonly status: number;
      readonly body: unknown;
      /** Written into the cookie `session`; 'clear' takes that away. */
      readonly session?: CookieToken | 'clear' | undefined;
      /** Written into the cookie `device`, by which a login recognises a browser that has signed in before. */
      readonly device?: CookieToken | undefined;
      /** Written into the cookie `challenge`, by which the second step of a login knows its browser; 'clear' takes that away. */
      readonly challenge?: CookieToken | 'clear' | undefined;
    }
  | { readonly status: 200; readonly download: Download }
  /** Compressed already and the same for everybody, also where the framework was asked for it (docs/decisions/0004). */
  | { readonly status: 200; readonly ready: ReadyAnswer };

/** A file that is sent as it is made: of any length, in little memory. */
interface Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly parts: AsyncIterable<string>;
}

/** One row of specification 7: data that the server turns into a handler and a line of the OpenAPI description. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In the notation of the specification: `/api/telegram/configs/{configId}`. */
  readonly path: string;
  readonly access: Access;
  /**
   * For what must not happen from a session that somebody else got hold of. The call is refused with 403 `second-factor-required`, before
   * its body is read, unless this session was asked for a second factor within the last ten minutes (`POST /api/auth/confirm`). Accounts
   * that have no second factor pass. In the browser nothing is to be done for it: `useApiMutation`, `useVersionedChange` and
   * `useConfirmedCall` show the dialog that asks, and then repeat the call (src/ui/api/use-answer.ts). Not on a public route.
   */
  readonly asksAgain?: true;
  /** On a public route: look up the session anyway. Its answer is then kept by no cache. */
  readonly readsSession?: boolean;
  readonly summary: string;
  /** A header of its own that the handler is given, in lower case. */
  readonly readsHeader?: string;
  /**
   * What can be judged before the body is read: who has no business here costs no parsing. An answer ends the call, null lets it go on.
   * `params` are what the address says, not parsed yet.
   */
  readonly checkFirst?: (
    request: Pick<RouteRequest, 'params' | 'client' | 'header'>,
  ) => Promise<RouteAnswer | null> | RouteAnswer | null;
  /** How large the body may be; a route with a body says so (registerRoutes refuses it otherwise). */
  readonly bodyBytes?: number;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Schema of the success answer; `'raw'` for downloads. */
  readonly answer: z.ZodType | 'raw';
  /** By status: schema of a failure answer that is not `{message, code}`. */
  readonly failures?: Readonly<Record<number, z.ZodType>>;
  /**
   * A GET whose answer is the same for everybody: sent without touching the framework while there is one (decision 0004).
   * `query` is what stands after the question mark. undefined: `handle` answers.
   */
  readonly ready?: (query: string) => ReadyAnswer | undefined;
  readonly handle: (request: RouteRequest) => Promise<RouteAnswer> | RouteAnswer;
}

/** The ready answers of these routes, by path. */
export function findReadyAmong(routes: readonly Route[]): FindReady {
  const byPath = new Map(routes.map(({ path, ready }) => [path, ready]));
  return (path, query = '') => byPath.get(path)?.(query);
}

type Schema = z.ZodType | undefined;
/** Nothing that a handler could use, where a route declares no schema. */
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

/** A route as it is written down: its handler gets exactly what the schemas beside it let through. */
interface TypedRoute<Params extends Schema, Query extends Schema, Body extends Schema> extends Omit<Route, 'handle'> {
  readonly params?: Params & z.ZodType;
  readonly query?: Query & z.ZodType;
  readonly body?: Body & z.ZodType;
  readonly handle: (
    request: RouteRequest<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Promise<RouteAnswer> | RouteAnswer;
}

/** The types end here: the list of all routes knows no schemas. Each request is parsed by these very ones (registerRoutes). */
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

/** What a call needs of its session. */
export type Needs = Pick<Route, 'access' | 'asksAgain'>;

/** Asked for every call that is not public, and for the public ones that read the session; those are always let in. */
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
    throw new Invalid('invalid-if-match', 'If-Match is the version that was changed, a whole number.');
  return Number(ifMatch);
}

/** An expected refusal (rulings R2): one sentence a person can act on, and a stable code. */
export const failure = (status: number, code: string, message: string): RouteAnswer => ({
  status,
  body: { message, code },
});
