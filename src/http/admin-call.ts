import { Invalid, Refused } from '../shared/failure.ts';
import type { RouteAnswer, SessionUser } from './route.ts';

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
