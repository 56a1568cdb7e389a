import type { RouteAnswer, RouteRequest } from '../http/route.ts';
import type { Account } from './account-store.ts';
import { admit } from './login.ts';
import type { LoginDeps } from './login-deps.ts';
import { waitAnswer } from './refusals.ts';

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
