import { stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';

import { type CookieKind, cookiePlace } from './cookie-names.ts';
import type { CookieToken, RouteAnswer } from './route.ts';

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
