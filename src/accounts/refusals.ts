import { Refused } from '../shared/failure.ts';
import type { ChallengePurpose } from './tokens.ts';

/** The same for a wrong name and a wrong password (rulings R2). */
export const wrongCredentials = (): Refused =>
  new Refused('wrong-credentials', 'The username or the password is wrong.', { status: 401 });

/** The same for a wrong code, a used code and a wrong passkey. 401 if nobody is signed in yet. */
export const wrongProof = (purpose: ChallengePurpose): Refused =>
  new Refused('wrong-second-factor', 'That did not match. Try again: each code works once.', {
    status: purpose === 'login' ? 401 : 403,
  });

/** The challenge has expired, was answered, replaced or has used up its answers, the account has changed, or this browser never had one. */
export function challengeOver(purpose: ChallengePurpose): Refused {
  const why = 'is no longer open: it took too long, there were too many tries, or something has changed since';
  if (purpose === 'login')
    return new Refused('login-over', `This login ${why}. Start again with your password.`, { status: 401 });
  const next = purpose === 'confirm' ? 'Try again' : 'See whether it was added, otherwise start again';
  return new Refused('challenge-over', `This ${why}. ${next}.`, { status: 409 });
}

export const notSignedInMessage = 'You are not logged in, or no longer. Log in in a new tab, then try again here.';

export const notSignedIn = (): Refused => new Refused('not-signed-in', notSignedInMessage);

export const noSuchFactor = (): Refused =>
  new Refused('not-found', 'This second factor no longer exists. Refresh the page.');
