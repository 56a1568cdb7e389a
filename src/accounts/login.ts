import { transact } from '../db/transaction.ts';
import type { Client, CookieToken } from '../http/route.ts';
import type { Account } from './account-store.ts';
import { admitLogin, auditOncePerWindow, countAttempt } from './admit-login.ts';
import type { Credentials, Proof, Question } from './contract.ts';
import { usernameKey } from './core/credentials.ts';
import { askForFactor, checkProof, type Proven } from './factors/ask-for-factor.ts';
import type { LoginDeps, SignedIn } from './login-deps.ts';
import { questionOver, wrongCredentials, wrongProof } from './refusals.ts';
import { beginSession } from './sessions.ts';

/** The password is right; the holder of this token is asked for a second factor. */
interface SecondStep {
  readonly kind: 'second-step';
  readonly question: Question;
  readonly challenge: CookieToken;
}

/**
 * One attempt: counted, then checked. If it is right, it begins a new session (docs/decisions/0012) or the second step (0039).
 * Throws Refused: too many attempts, or wrong credentials without saying whether name or password.
 */
export async function logIn(deps: LoginDeps, given: Credentials, caller: Client): Promise<SignedIn | SecondStep> {
  const key = usernameKey(given.username);
  const { by, counters } = await admitLogin(deps, key, caller);
  const account = await deps.users.find(key);
  const matches = await deps.passwords.matches(given.password, account?.passwordHash ?? null, by);
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
    const question = await askForFactor(deps, account, factors, hash, trx);
    return { kind: 'second-step', question, challenge: { token, expiresAt: new Date(question.expiresAt) } };
  });
}

/** The second step of a login, by the browser that took the first. Throws Refused. */
export async function takeSecondStep(deps: LoginDeps, proof: Proof, caller: Client): Promise<SignedIn> {
  const hash = deps.tokens.challengeHash('login', caller.challengeToken);
  const asked = hash === null ? null : await deps.challenges.find(hash, deps.clock.now());
  const account = asked === null ? undefined : await deps.users.byId(asked.userId);
  if (hash === null || account === undefined) throw questionOver('login');
  const given = { asked: 'login', account, hash, proof, caller } as const;
  const { proven, counters } = await answerQuestion(deps, given);
  const signedIn = await beginSession(deps, account, caller, { proven, challengeHash: hash });
  if (signedIn === null) throw wrongProof('login');
  await deps.attempts.forgive(counters);
  return signedIn;
}

interface Given {
  readonly asked: 'login' | 'confirm';
  readonly account: Account;
  /** Of the question being answered. */
  readonly hash: Uint8Array;
  readonly proof: Proof;
  readonly caller: Client;
}

interface Answered {
  readonly proven: Proven;
  /** The counters of a code; none for a passkey. */
  readonly counters: readonly Uint8Array[];
}

/** Counts and checks one answer to an open question. Throws Refused. */
export async function answerQuestion(
  deps: LoginDeps,
  { asked, account, hash, proof, caller }: Given,
): Promise<Answered> {
  const by = deps.tokens.readDeviceMark(caller.deviceToken)?.hasProven(account) === true ? 'known-browser' : 'stranger';
  // Counted across all addresses: six digits can be guessed, and only someone with the password gets this far. A passkey cannot be guessed.
  const counters =
    proof.kind === 'passkey' ? [] : [await countAttempt(deps, 'second-factor', account.usernameKey, [account.id, by])];
  const question = await deps.challenges.takeAnswer(hash, deps.clock.now());
  if (question === null || question.userId !== account.id) throw questionOver(asked);
  const proven = await checkProof(
    deps,
    account.id,
    proof,
    question.passkeyChallenge,
    asked === 'confirm' ? 'known-browser' : by,
  );
  if (proven !== null) return { proven, counters };
  // Anyone who gets this far has the password: the team should know.
  await auditOncePerWindow(deps, account.usernameKey, 'second-factor-refused', { asked });
  throw wrongProof(asked);
}
