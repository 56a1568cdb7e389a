import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest, FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { IncomingHttpHeaders } from 'node:http';

import type { Client, CookieToken, RouteAnswer } from './route.ts';

/** Longer than any token this product has made: not worth a look. */
const longestToken = 500;
const longestVersion = 200;

/** Reads where a request comes from and what it brings; nothing of it is checked yet. */
export function createClientReader(publicUrl: string): (request: FastifyRequest) => Client {
  const nameOf = (kind: CookieKind): string => cookiePlace(kind, publicUrl).name;
  const [session, device, challenge] = [nameOf('session'), nameOf('device'), nameOf('challenge')];
  return (request) => {
    const cookies = parseCookie(request.headers.cookie ?? '');
    return {
      address: addressOf(request),
      sessionToken: tokenIn(cookies[session]),
      deviceToken: tokenIn(cookies[device]),
      challengeToken: tokenIn(cookies[challenge]),
      userAgent: request.headers['user-agent'] ?? null,
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

/** The session goes with every call, a device's mark and a challenge only with those of the login. */
const paths = { session: '/', device: '/api/auth', challenge: '/api/auth' } as const;

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
  const cleared = { token: '', expiresAt: new Date(0) };
  for (const kind of ['session', 'challenge', 'device'] as const) {
    const value = answer[kind];
    if (value !== undefined) write(kind, value === 'clear' ? cleared : value);
  }
}

/** This machine, as the host of an address names it. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rulings R2: state-changing calls refuse a foreign `Origin`. A caller without `Origin` is no browser page of another
 * site, unless `Sec-Fetch-Site` says so. On this machine localhost, 127.0.0.1 and [::1] are the same place.
 */
export function createOriginCheck(publicUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const own = new URL(publicUrl);
  const isOwn = (origin: string): boolean => {
    if (origin === own.origin) return true;
    if (!loopbackHosts.has(own.hostname) || !URL.canParse(origin)) return false;
    const other = new URL(origin);
    return other.protocol === own.protocol && loopbackHosts.has(other.hostname) && other.port === own.port;
  };
  return (headers) => {
    if (headers.origin !== undefined) return isOwn(headers.origin);
    const site = headers['sec-fetch-site'];
    return site === undefined || site === 'same-origin' || site === 'none';
  };
}

/** By any of these a proxy says that it forwards a request. */
const forwarded = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;

/**
 * Whether a program of this very machine asks for itself: over loopback, by a name of loopback (no page whose own name leads here), and
 * not through a proxy.
 */
export function isFromThisMachine({ raw, host }: Pick<FastifyRequest, 'raw' | 'host'>): boolean {
  const address = raw.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  if (Object.keys(raw.headers).some((name) => forwarded.test(name))) return false;
  return loopbackHosts.has(host.replace(/:\d+$/, '').toLowerCase());
}
