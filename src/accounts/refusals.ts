import type { RouteRequest } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { Account } from './account-store.ts';
import { admitLogin } from './admit-login.ts';
import type { LoginDeps } from './login-deps.ts';
import type { ChallengeKind } from './tokens.ts';

/** The same for a wrong name and a wrong password (rulings R2). */
export const wrongCredentials = (): Refused =>
  new Refused('wrong-credentials', 'The username or the password is wrong.', { status: 401 });

/** The same for a wrong code, a used code and a wrong passkey. 401 if nobody is signed in yet. */
export const wrongProof = (asked: ChallengeKind): Refused =>
  new Refused('wrong-second-factor', 'That did not match. Try again: each code works once.', {
    status: asked === 'login' ? 401 : 403,
  });

/** This browser has no open question (any more). */
export const questionOver = (asked: ChallengeKind): Refused =>
  asked === 'login'
    ? new Refused('login-over', 'The login took too long or too many tries. Start again with your password.', {
        status: 401,
      })
    : new Refused('question-over', 'This took too long or too many tries. Start again.', { status: 409 });

const notSignedIn = (): Refused => new Refused('not-signed-in', 'Sign in first: this call needs an account.');

export const noSuchFactor = (): Refused =>
  new Refused('not-found', 'This second factor no longer exists. Refresh the page.');

/** Checks the password of someone who is signed in once more, throttled like a login. Throws Refused. */
export async function refuseWrongPassword(
  deps: LoginDeps,
  account: Account,
  password: string,
  { client }: Pick<RouteRequest, 'client'>,
): Promise<void> {
  const { counters } = await admitLogin(deps, account.usernameKey, client);
  if (!(await deps.passwords.matches(password, account.passwordHash, 'known-browser')))
    throw new Refused('wrong-password', 'The password is wrong.');
  await deps.attempts.forgive(counters);
}

/** The user of this session. Throws Refused if it has ended since the guard let it in. */
export async function accountOf({ users }: LoginDeps, { user }: Pick<RouteRequest, 'user'>): Promise<Account> {
  const account = user === null ? undefined : await users.byId(user.id);
  if (account === undefined) throw notSignedIn();
  return account;
}

/** The hash under which a question to this session is stored. */
export function hashOf({ tokens }: LoginDeps, kind: 'confirm' | 'add', { client }: Pick<RouteRequest, 'client'>) {
  const hash = tokens.challengeHash(kind, client.sessionToken);
  if (hash === null) throw notSignedIn();
  return hash;
}
