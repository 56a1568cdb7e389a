import { transact } from '../db/transaction.ts';
import type { Client, CookieToken } from '../http/route.ts';
import type { Account } from './account-store.ts';
import { type Admission, admitLogin } from './admit-login.ts';
import { beginSession } from './sessions.ts';
import type { Credentials, Proof, Question } from './contract.ts';
import { usernameKey } from './core/credentials.ts';
import { loginLimits, type Wait } from './core/login-throttle.ts';
import { askForFactor, checkProof, type Proven } from './factors/ask-for-factor.ts';
import { type LoginDeps, type SignedIn, subjectOf } from './login-deps.ts';

export type LoginResult =
  | SignedIn
  | Wait
  /** Wrong name or wrong password: which of them is not said. */
  | { readonly kind: 'wrong' }
  /** The password is right; the holder of this token is asked for a second factor. */
  | { readonly kind: 'second-step'; readonly question: Question; readonly challenge: CookieToken };

export type SecondStepResult =
  | SignedIn
  | Wait
  | { readonly kind: 'wrong' }
  /** Nothing is asked of this browser, or no longer: it begins with the password again. */
  | { readonly kind: 'over' };

/** One attempt: counted, judged, checked; a good one begins a session of its own (docs/decisions/0012), or the second step (0039). */
export async function logIn(deps: LoginDeps, given: Credentials, caller: Client): Promise<LoginResult> {
  const { users, passwords, attempts } = deps;
  const key = usernameKey(given.username);
  const admission = await admit(deps, key, caller);
  if (admission.kind === 'wait') return admission;
  const account = await users.find(key);
  const matches = await passwords.matches(given.password, account?.passwordHash ?? null, admission.by);
  if (account === undefined || !matches) return { kind: 'wrong' };
  const result = await beginSession(deps, account, caller, null);
  // Not taken back before the second step: somebody who has only the password gets no extra tries.
  if (result.kind === 'needs-factor') return beginSecondStep(deps, account);
  if (result.kind === 'refused') return { kind: 'wrong' };
  await attempts.forgive(admission.counters);
  return result;
}

async function beginSecondStep(deps: LoginDeps, account: Account): Promise<LoginResult> {
  const token = deps.tokens.newToken();
  const hash = deps.tokens.challengeHash('login', token);
  return transact(deps.db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    if (hash === null || current?.passwordHash !== account.passwordHash) return { kind: 'wrong' };
    const factors = await deps.factors.ofUser(account.id, trx);
    const question = await askForFactor(deps, account, factors, hash, trx);
    return { kind: 'second-step', question, challenge: { token, expiresAt: new Date(question.expiresAt) } };
  });
}

/** The second step of a login, by the browser that took the first. */
export async function takeSecondStep(deps: LoginDeps, proof: Proof, caller: Client): Promise<SecondStepResult> {
  const hash = deps.tokens.challengeHash('login', caller.challengeToken);
  const asked = hash === null ? null : await deps.challenges.find(hash, deps.clock.now());
  const account = asked === null ? undefined : await deps.users.byId(asked.userId);
  if (hash === null || account === undefined) return { kind: 'over' };
  const answer = await answerQuestion(deps, { account, hash, proof, caller });
  if (answer.kind !== 'proven') return answer;
  const result = await beginSession(deps, account, caller, { proven: answer.proven, challengeHash: hash });
  if (result.kind !== 'signed-in') return { kind: 'wrong' };
  // Both steps of it: they were the owner's. Only this one counted a code.
  await deps.attempts.forgive(answer.counters);
  await deps.attempts.forgive([...answer.counters, ...answer.codeCounters]);
  return result;
}

interface Given {
  readonly account: Account;
  /** Of the question that is answered. */
  readonly hash: Uint8Array;
  readonly proof: Proof;
  readonly caller: Client;
}

type Answered =
  | Wait
  | { readonly kind: 'wrong' }
  | { readonly kind: 'over' }
  | {
      readonly kind: 'proven';
      readonly proven: Proven;
      /** Of the attempt, as at a first step. */
      readonly counters: readonly Uint8Array[];
      /** Of the code, if one was given. */
      readonly codeCounters: readonly Uint8Array[];
    };

/** One answer to a question that stands: throttled as a login is, counted, checked. */
export async function answerQuestion(deps: LoginDeps, { account, hash, proof, caller }: Given): Promise<Answered> {
  const admission = await admit(deps, account.usernameKey, caller);
  if (admission.kind === 'wait') return admission;
  const codeCounters: Uint8Array[] = [];
  if (admission.by === 'stranger' && proof.kind !== 'passkey') {
    // From all addresses together: six digits can be guessed, and only who has the password comes this far.
    const counter = deps.tokens.attemptKey('second-factor', account.id);
    const counted = await deps.attempts.count(counter, loginLimits.attackWindowMs, deps.clock.now());
    codeCounters.push(counter);
    if (counted.attempts > loginLimits.codes) {
      const retryAfterMs = Math.max(counted.endsAt.getTime() - deps.clock.now().getTime(), 1_000);
      const wait = { kind: 'wait', limit: 'second-factor', retryAfterMs } as const;
      await reportThrottled(deps, wait, account.usernameKey);
      return wait;
    }
  }
  const question = await deps.challenges.takeAnswer(hash, deps.clock.now());
  if (question === null || question.userId !== account.id) return { kind: 'over' };
  const proven = await checkProof(deps, account.id, proof, question.passkeyChallenge);
  return proven === null ? { kind: 'wrong' } : { kind: 'proven', proven, counters: admission.counters, codeCounters };
}

/** Counts one attempt and judges it; the first refusal of a window is in the log. */
export async function admit(deps: LoginDeps, key: string, caller: Client): Promise<Admission> {
  const admission = await admitLogin(deps, key, caller);
  if (admission.kind === 'wait') await reportThrottled(deps, admission, key);
  return admission;
}

/** Once per window for each account, and once for all unknown names together: a flood must not fill the log. */
async function reportThrottled(
  { db, users, tokens, attempts, audit, clock }: LoginDeps,
  { limit }: Pick<Wait, 'limit'>,
  key: string,
): Promise<void> {
  const account = await users.find(key);
  const reported = tokens.attemptKey('reported', account?.id ?? 'unknown name');
  if ((await attempts.count(reported, loginLimits.windowMs, clock.now())).attempts > 1) return;
  const entry = {
    actor: { kind: 'system', name: 'login' },
    action: 'login-throttled',
    // A mistyped name may be a password: neither it nor anything it could be recovered from is kept.
    subject:
      account === undefined
        ? { kind: 'username', id: tokens.nameMark(key), label: 'unknown name' }
        : subjectOf(account),
    before: null,
    after: { limit },
  } as const;
  await transact(db, (trx) => audit.record(entry, trx));
}
