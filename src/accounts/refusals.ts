import type { RouteAnswer, RouteRequest } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { Account } from './account-store.ts';
import type { Wait } from './core/login-throttle.ts';
import type { LoginDeps } from './login-deps.ts';
import { admit } from './login.ts';

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
  body: { message: 'That did not match. Try again: each code works once.', code: 'wrong-second-factor' },
});

/** Asks somebody who is signed in for their password once more, throttled as a login is. null: it is theirs. */
export async function refuseWrongPassword(
  deps: LoginDeps,
  account: Account,
  password: string,
  { client }: Pick<RouteRequest, 'client'>,
): Promise<RouteAnswer | null> {
  const admission = await admit(deps, account.usernameKey, client);
  if (admission.kind === 'wait') return waitAnswer(admission);
  if (!(await deps.passwords.matches(password, account.passwordHash, admission.by))) {
    return { status: 403, body: { message: 'The password is wrong.', code: 'wrong-password' } };
  }
  await deps.attempts.forgive(admission.counters);
  return null;
}

/** The user of this session. Throws Refused if it has ended since the guard let it in. */
export async function accountOf({ users }: LoginDeps, { user }: Pick<RouteRequest, 'user'>): Promise<Account> {
  const account = user === null ? undefined : await users.byId(user.id);
  if (account === undefined) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return account;
}

/** What a question to this session is kept under. */
export function hashOf({ tokens }: LoginDeps, kind: 'confirm' | 'add', { client }: Pick<RouteRequest, 'client'>) {
  const hash = tokens.challengeHash(kind, client.sessionToken);
  if (hash === null) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return hash;
}
