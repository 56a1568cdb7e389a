import { z } from 'zod';

import { transact } from '../db/transaction.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import { checkPassword } from './login.ts';
import { noSuchFactor } from './refusals.ts';
import { accountOf } from './sessions.ts';
import { addedFactor, authenticatorToAdd, listedFactor, newRecoveryCodesAnswer, passkeyOptions } from './contract.ts';
import {
  addFactor,
  beginAuthenticator,
  beginPasskey,
  makeRecoveryCodes,
  readAuthenticator,
  readPasskey,
  removeFactor,
  shownFactor,
} from './factors/change-factors.ts';
import { codeShape } from './factors/codes.ts';
import { passkeyResponse } from './factors/passkeys.ts';
import { passwordLengths } from './core/credentials.ts';
import { type LoginDeps, record } from './login-deps.ts';

const password = z.string().max(passwordLengths.longest);
const factorParams = z.strictObject({ factorId: z.string().regex(/^\d{1,18}$/) });
const passwordBytes = 2 * 1_024;
const factorNameMax = 40;
const factorName = z
  .string()
  .trim()
  .min(1, { error: 'Give it a name.' })
  .max(factorNameMax, { error: `A name has at most ${factorNameMax} characters.` })
  // Invisible characters would make two names look alike.
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'A name must not contain invisible characters.' });

/** The caller's own second factors, in the tab 'Accounts' (docs/decisions/0039). */
export const factorRoutes = (deps: LoginDeps): readonly Route[] => [
  ...addRoutes(deps),
  defineRoute({
    method: 'DELETE',
    path: '/api/auth/factors/{factorId}',
    access: 'dashboard',
    needsSecondFactorAgain: true,
    summary:
      'Remove one of your own second factors; removing the last one needs the password and removes the recovery codes too',
    params: factorParams,
    bodyBytes: passwordBytes,
    body: z.strictObject({ password: password.nullable() }),
    answer: listedFactor,
    handle: (request) => remove(deps, request),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/recovery-codes',
    access: 'dashboard',
    needsSecondFactorAgain: true,
    summary: 'Make ten new recovery codes to replace the old ones; they are shown only once',
    answer: newRecoveryCodesAnswer,
    handle: (request) => renewCodes(deps, request),
  }),
];

const addRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/auth/passkeys/begin',
    access: 'dashboard',
    needsSecondFactorAgain: true,
    summary: 'The options from which a browser makes a new passkey, valid for 5 minutes',
    bodyBytes: passwordBytes,
    body: z.strictObject({ password }),
    answer: passkeyOptions,
    handle: (request) => beginPasskey(deps, request),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'dashboard',
    summary: 'Add the new passkey; the first second factor comes with ten recovery codes, shown only once',
    bodyBytes: 32 * 1_024,
    body: z.strictObject({ name: factorName, response: passkeyResponse }),
    answer: addedFactor,
    handle: (request) => addFactor(deps, request, readPasskey(deps, request.body.response)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/authenticators/begin',
    access: 'dashboard',
    needsSecondFactorAgain: true,
    summary: 'A secret for an authenticator app, to be confirmed within 5 minutes',
    bodyBytes: passwordBytes,
    body: z.strictObject({ password }),
    answer: authenticatorToAdd,
    handle: (request) => beginAuthenticator(deps, request),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/authenticators',
    access: 'dashboard',
    summary: 'Add the authenticator app that shows this code; the first second factor comes with ten recovery codes',
    bodyBytes: 1_024,
    body: z.strictObject({
      name: factorName,
      code: z.string().regex(codeShape, { error: 'A code has six digits.' }),
    }),
    answer: addedFactor,
    handle: (request) => addFactor(deps, request, readAuthenticator(deps, request.body.code)),
  }),
];

type Removal = RouteRequest<z.output<typeof factorParams>, undefined, { readonly password: string | null }>;

async function remove(
  deps: LoginDeps,
  request: Pick<Removal, 'user' | 'client' | 'params' | 'body'>,
): Promise<RouteAnswer> {
  const account = await accountOf(deps, request);
  const { password: given } = request.body;
  if (given !== null) await checkPassword(deps, account, given, request.client);
  return transact(deps.db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    const all = await deps.factors.ofUser(account.id, trx);
    const factor = all.find(({ id }) => id === request.params.factorId);
    if (factor === undefined) throw noSuchFactor();
    if (all.length === 1 && (given === null || current?.passwordHash !== account.passwordHash)) {
      throw new Refused('password-required', 'Removing the last second factor needs your password.');
    }
    await removeFactor(deps, trx, { account, factor, isLast: all.length === 1 });
    return { data: shownFactor(deps, factor) };
  });
}

async function renewCodes(deps: LoginDeps, request: Pick<RouteRequest, 'user'>): Promise<RouteAnswer> {
  const account = await accountOf(deps, request);
  const codes = await makeRecoveryCodes(deps);
  return transact(deps.db, async (trx) => {
    await deps.users.findLocked(trx, { id: account.id });
    if ((await deps.factors.ofUser(account.id, trx)).length === 0) {
      const message = 'Recovery codes stand in for a second factor. Add one first.';
      throw new Refused('no-second-factor', message, { status: 409 });
    }
    await deps.factors.setRecoveryCodes(trx, account.id, codes.rows);
    await record(deps, trx, { account, action: 'recovery-codes-made' });
    return { data: { recoveryCodes: codes.shown } };
  });
}
