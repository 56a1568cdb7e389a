import { stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';

import type { CookieToken, RouteAnswer } from './route.ts';

/** The session goes with every call, a device's mark only with those of the login. */
const paths = { session: '/', device: '/api/auth' } as const;

/** Rulings R2: `HttpOnly`, `SameSite=Lax`, `Secure` on https. */
export function writeCookies(reply: FastifyReply, answer: RouteAnswer, isSecure: boolean): void {
  if (!('body' in answer)) return;
  const write = (name: keyof typeof paths, { token, expiresAt }: CookieToken): void => {
    const flags = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: paths[name] } as const;
    reply.header('Set-Cookie', stringifySetCookie({ name, value: token, expires: expiresAt, ...flags }));
  };
  if (answer.session !== undefined) {
    write('session', answer.session === 'clear' ? { token: '', expiresAt: new Date(0) } : answer.session);
  }
  if (answer.device !== undefined) write('device', answer.device);
}
