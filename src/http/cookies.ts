import { stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';

import type { CookieToken, RouteAnswer } from './route.ts';

/** The session goes with every call, a device's mark only with those of the login. */
const paths = { session: '/', device: '/api/auth' } as const;

export type CookieKind = keyof typeof paths;

/** A cookie as it is written and read: its name, where it goes, and whether only encrypted. */
export interface CookiePlace {
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
