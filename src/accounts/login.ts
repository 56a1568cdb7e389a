import { transact } from '../db/transaction.ts';
import type { Client, CookieToken } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { Account } from './account-store.ts';
import { admitLogin, countAttempt } from './admit-login.ts';
import type { Challenge } from './contract.ts';
import { type Credentials, usernameKey } from './core/credentials.ts';
import { answerChallenge, challengeForFactor, type Proof } from './factors/challenge.ts';
import type { LoginDeps, SignedIn } from './login-deps.ts';
import { challengeOver, wrongCredentials, wrongProof } from './refusals.ts';
import { beginSession } from './sessions.ts';

/** The password is right; the browser with this token has to give a second factor. */
interface SecondStep {
  readonly kind: 'second-step';
  readonly challenge: Challenge;
  readonly token: CookieToken;
}

/**
 * One attempt: counted, then checked. If it is right, it begins a new session (docs/decisions/0012) or the second step (0039).
 * Throws Refused: too many attempts, or wrong credentials without saying whether name or password.
 */
export async function logIn(deps: LoginDeps, given: Credentials, caller: Client): Promise<SignedIn | SecondStep> {
  const key = usernameKey(given.username);
  const { trust, counters } = await admitLogin(deps, key, caller);
  const account = await deps.users.find(key);
  const matches = await deps.passwords.matches(given.password, account?.passwordHash ?? null, trust);
  if (account === undefined || !matches) throw wrongCredentials();
  const signedIn = await beginSession(deps, account, caller, null);
  await deps.attempts.forgive(counters);
  return signedIn ?? beginSecondStep(deps, account);
}

async function beginSecondStep(deps: LoginDeps, account: Account): Promise<SecondStep> {
  const token = deps.tokens.newToken();
  const hash = deps.tokens.challengeHash('login', token);
  return transact(deps.db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    if (hash === null || current?.passwordHash !== account.passwordHash) throw wrongCredentials();
    const factors = await deps.factors.ofUser(account.id, trx);
    const challenge = await challengeForFactor(deps, account, factors, hash, trx);
    return { kind: 'second-step', challenge, token: { token, expiresAt: new Date(challenge.expiresAt) } };
  });
}

/** The second step of a login, by the browser that took the first. Throws Refused. */
export async function takeSecondStep(deps: LoginDeps, proof: Proof, caller: Client): Promise<SignedIn> {
  const challengeHash = deps.tokens.challengeHash('login', caller.challengeToken);
  if (challengeHash === null) throw challengeOver('login');
  const challenge = await deps.challenges.find(challengeHash, deps.clock.now());
  const account = challenge === null ? undefined : await deps.users.byId(challenge.userId);
  if (account === undefined) throw challengeOver('login');
  const answer = { purpose: 'login', account, challengeHash, proof, caller } as const;
  const { proven, counters } = await answerChallenge(deps, answer);
  const signedIn = await beginSession(deps, account, caller, { proven, challengeHash });
  if (signedIn === null) throw wrongProof('login');
  await deps.attempts.forgive(counters);
  return signedIn;
}

/** Checks the password of someone who is signed in once more, throttled like a login, but for this session. Throws Refused. */
export async function checkPassword(
  deps: LoginDeps,
  account: Account,
  password: string,
  { sessionToken }: Client,
): Promise<void> {
  const counter = await countAttempt(deps, 'session-password', account.usernameKey, [sessionToken ?? '']);
  if (!(await deps.passwords.matches(password, account.passwordHash, 'known-browser')))
    throw new Refused('wrong-password', 'The password is wrong.');
  await deps.attempts.forgive([counter]);
}
