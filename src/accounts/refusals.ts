import type { RouteAnswer } from '../http/route.ts';
import type { Wait } from './login-deps.ts';

/** A limit of the login throttle is reached (docs/decisions/0012). */
export function waitAnswer({ retryAfterMs }: Wait): RouteAnswer {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1_000);
  const message = `Too many attempts to log in. Try again in ${inWords(retryAfterSeconds)}.`;
  return { status: 429, body: { message, code: 'too-many-logins' }, retryAfterSeconds };
}

const inWords = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
};

/** The same for a wrong code, a used one, and a passkey that does not fit. 401 where nobody is signed in yet. */
export const wrongProofAnswer = (status: 401 | 403): RouteAnswer => ({
  status,
  body: { message: 'That did not fit. Try again: each code counts once.', code: 'wrong-second-factor' },
});
