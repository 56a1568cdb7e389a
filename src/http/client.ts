import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest, FastifyReply } from 'fastify';
import type { Client, CookieToken, RouteAnswer } from './route.ts';

/** Longer than any token this product has made: not worth a look. */
const longestToken = 500;
const longestVersion = 200;

/** Reads where a request comes from and what it brings; nothing of it is checked yet. */
export function createClientReader(publicUrl: string): (request: FastifyRequest) => Client {
  const [session, device] = [cookiePlace('session', publicUrl).name, cookiePlace('device', publicUrl).name];
  return (request) => {
    const cookies = parseCookie(request.headers.cookie ?? '');
    return {
      address: addressOf(request),
      sessionToken: tokenIn(cookies[session]),
      deviceToken: tokenIn(cookies[device]),
    };
  };
}

/** The version of `If-Match: "7"`, also when a cache made the tag weak; null without one. */
export function ifMatchOf(request: FastifyRequest): string | null {
  const tag = request.headers['if-match']?.trim().replace(/^(?:W\/)?"(.*)"$/s, '$1');
  return tag === undefined || tag === '' ? null : tag.slice(0, longestVersion);
}

/** A header that comes once, or null. */
export function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** `X-Forwarded-For` counts from proxies on this machine and from trusted ones, and only when it names an address. */
function addressOf(request: FastifyRequest): string {
  const named = isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? 'unknown') : request.ip;
  // An IPv4 caller of a socket that serves both kinds (RFC 4291, 2.5.5.2).
  return named.replace(/^::ffff:(?=\d+\.)/i, '');
}

const tokenIn = (value: string | undefined): string | null =>
  value === undefined || value === '' || value.length > longestToken ? null : value;

const usable = /^[\w.:-]{1,64}$/;

/** The id a caller gave with `x-request-id`, when it is short and harmless in a log line. */
export function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && usable.test(header) ? header : undefined;
}

export const requestIdFor = (header: string | string[] | undefined): string => givenRequestId(header) ?? randomUUID();

/** The session goes with every call, a device's mark only with those of the login. */
const paths = { session: '/', device: '/api/auth' } as const;

type CookieKind = keyof typeof paths;

/** A cookie as it is written and read: its name, where it goes, and whether only encrypted. */
interface CookiePlace {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

/**
 * On https the names begin with `__Host-` and `__Secure-`: browsers then take them from this very site, or at least from an encrypted
 * one, alone, so that no neighbour on another subdomain can plant a session (RFC 6265bis, 4.1.3).
 */
export function cookiePlace(kind: CookieKind, publicUrl: string): CookiePlace {
  const path = paths[kind];
  if (!publicUrl.startsWith('https:')) return { name: kind, path, secure: false };
  return { name: `${path === '/' ? '__Host' : '__Secure'}-${kind}`, path, secure: true };
}

/** Rulings R2: `HttpOnly`, `SameSite=Lax`, `Secure` on https. */
export function writeCookies(reply: FastifyReply, answer: RouteAnswer, publicUrl: string): void {
  if (!('body' in answer)) return;
  const write = (kind: CookieKind, { token, expiresAt }: CookieToken): void => {
    const flags = { httpOnly: true, sameSite: 'lax', ...cookiePlace(kind, publicUrl) } as const;
    reply.header('Set-Cookie', stringifySetCookie({ value: token, expires: expiresAt, ...flags }));
  };
  if (answer.session !== undefined) {
    write('session', answer.session === 'clear' ? { token: '', expiresAt: new Date(0) } : answer.session);
  }
  if (answer.device !== undefined) write('device', answer.device);
}
