import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest, FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { IncomingHttpHeaders } from 'node:http';

import type { Client, CookieToken, RouteAnswer } from './route.ts';

/** Longer than any token of this product: ignored. */
const longestToken = 500;
const longestVersion = 200;

/** Reads a request's address, tokens and user agent; nothing is checked yet. */
export function createClientReader(publicUrl: string): (request: FastifyRequest) => Client {
  const { name: session } = cookiePlace('session', publicUrl);
  const { name: device } = cookiePlace('device', publicUrl);
  const { name: challenge } = cookiePlace('challenge', publicUrl);
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

/** `X-Forwarded-For` counts from proxies on this machine and from trusted ones, and only when it names an address. */
function addressOf(request: FastifyRequest): string {
  const named = isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? 'unknown') : request.ip;
  // An IPv4 caller on a socket that accepts IPv4 and IPv6 (RFC 4291, 2.5.5.2).
  return named.replace(/^::ffff:(?=\d+\.)/i, '');
}

const tokenIn = (value: string | undefined): string | null =>
  value === undefined || value === '' || value.length > longestToken ? null : value;

const harmlessId = /^[\w.:-]{1,64}$/;

/** The id a caller gave with `x-request-id`, when it is short and harmless in a log line. */
export function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && harmlessId.test(header) ? header : undefined;
}

export const requestIdFor = (header: string | string[] | undefined): string => givenRequestId(header) ?? randomUUID();

/** The session is sent with every call, the device mark and the challenge only with the login calls. */
const cookiePaths = { session: '/', device: '/api/auth', challenge: '/api/auth' } as const;

type CookieKind = keyof typeof cookiePaths;

/** A cookie's name and path, and whether it is sent only over https. */
interface CookiePlace {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

/**
 * On https the names begin with `__Host-` or `__Secure-`. Browsers accept the first only from this very host and the second only over
 * https, so that no site on another subdomain can plant a session (RFC 6265bis, 4.1.3).
 */
export function cookiePlace(kind: CookieKind, publicUrl: string): CookiePlace {
  const path = cookiePaths[kind];
  if (!publicUrl.startsWith('https:')) return { name: kind, path, secure: false };
  return { name: `${path === '/' ? '__Host' : '__Secure'}-${kind}`, path, secure: true };
}

/** Rulings R2: `HttpOnly`, `SameSite=Lax`, `Secure` on https. */
export function writeCookies(reply: FastifyReply, answer: RouteAnswer, publicUrl: string): void {
  if (!('body' in answer || 'data' in answer)) return;
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

/** Host names of this machine. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rulings R2: state-changing calls refuse a foreign `Origin`. A request without `Origin` does not come from a page of another
 * site, unless `Sec-Fetch-Site` says so. On this machine localhost, 127.0.0.1 and [::1] are the same origin.
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

/** Any of these headers shows that a proxy forwarded the request. */
const forwarded = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;

/**
 * Whether a program on this machine sends the request itself: over loopback, to a loopback name (which rules out pages whose own
 * domain resolves to this machine), and not through a proxy.
 */
export function isFromThisMachine({ raw, host }: Pick<FastifyRequest, 'raw' | 'host'>): boolean {
  const address = raw.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  if (Object.keys(raw.headers).some((name) => forwarded.test(name))) return false;
  return loopbackHosts.has(host.replace(/:\d+$/, '').toLowerCase());
}
