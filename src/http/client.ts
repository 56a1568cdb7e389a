import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';

import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

import { cookiePlace } from './cookies.ts';
import type { Client } from './route.ts';

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
