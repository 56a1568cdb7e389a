import { transact, type Trx } from '../../db/transaction.ts';
import type { RouteAnswer, RouteRequest } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import type { Account } from '../account-store.ts';
import { checkPassword } from '../login.ts';
import { challengeOver } from '../refusals.ts';
import { type LoginDeps, record } from '../login-deps.ts';
import { accountOf, endOthers } from '../sessions.ts';
import { isDeadApp, sessionChallengeHash } from './challenge.ts';
import { challengeOpenMs, type Factor, type FactorStore, type OpenChallenge } from './factor-store.ts';
import { newRecoveryCodes, newSecret, secretText, secretUri, shownCode, stepOf } from './codes.ts';
import type { PasskeyResponse } from './passkeys.ts';

type Request<Body> = Pick<RouteRequest<unknown, unknown, Body>, 'user' | 'client' | 'body'>;
type NewFactor = Parameters<FactorStore['add']>[3];
type ReadFactor = NewFactor | 'over' | null;

export const shownFactor = (deps: LoginDeps, factor: Factor) => ({
  id: factor.id,
  kind: factor.kind,
  name: factor.name,
  addedAt: factor.createdAt.toISOString(),
  lastUsedAt: factor.lastUsedAt?.toISOString() ?? null,
  isDead: isDeadApp(deps, factor),
});

/** Checks the password first: a session alone must not be able to lock its owner out. Returns the factors that the account has. */
async function admitAnother(deps: LoginDeps, account: Account, request: Request<{ password: string }>) {
  const factors = await deps.factors.ofUser(account.id);
  await checkPassword(deps, account, request.body.password, request.client);
  return factors;
}

export async function beginPasskey(deps: LoginDeps, request: Request<{ password: string }>): Promise<RouteAnswer> {
  if (!deps.passkeys.areOffered) {
    const message = 'Passkeys work only on https or localhost: change PUBLIC_URL, or use an authenticator app.';
    throw new Refused('no-passkeys-here', message, { status: 409 });
  }
  const account = await accountOf(deps, request);
  const factors = await admitAnother(deps, account, request);
  const options = await deps.passkeys.toAdd(account, factors);
  await storeChallenge(deps, request, account, { passkeyChallenge: options.challenge, sealedSecret: null });
  return { data: { ...options } };
}

export async function beginAuthenticator(
  deps: LoginDeps,
  request: Request<{ password: string }>,
): Promise<RouteAnswer> {
  const account = await accountOf(deps, request);
  await admitAnother(deps, account, request);
  const secret = newSecret();
  const sealedSecret = deps.seal.seal(secret, account.id);
  await storeChallenge(deps, request, account, { passkeyChallenge: null, sealedSecret });
  const uri = secretUri(secret, deps.productName, account.username);
  return { data: { uri, secret: secretText(secret) } };
}

/** The challenge to prove that the new factor works. */
async function storeChallenge(
  deps: LoginDeps,
  { client }: Pick<RouteRequest, 'client'>,
  { id: userId }: Account,
  factor: { readonly passkeyChallenge: string | null; readonly sealedSecret: Uint8Array | null },
): Promise<void> {
  const expiresAt = new Date(deps.clock.now().getTime() + challengeOpenMs);
  const tokenHash = sessionChallengeHash(deps, 'add', client);
  await deps.challenges.put(deps.db, { tokenHash, userId, expiresAt, ...factor });
}

/** Stores a new factor once it is proven. `readFactor` returns null if the proof is wrong, 'over' if it is for another challenge. Throws Refused. */
export async function addFactor(
  deps: LoginDeps,
  request: Request<{ name: string }>,
  readFactor: (challenge: OpenChallenge) => Promise<ReadFactor> | ReadFactor,
): Promise<RouteAnswer> {
  const account = await accountOf(deps, request);
  const challengeHash = sessionChallengeHash(deps, 'add', request.client);
  const challenge = await deps.challenges.takeAnswer(challengeHash, deps.clock.now());
  if (challenge === null || challenge.userId !== account.id) throw challengeOver('add');
  const factor = await readFactor(challenge);
  if (factor === 'over') throw challengeOver('add');
  if (factor === null) throw new Refused('wrong-second-factor', 'That did not match. Try again.');
  const codes = (await deps.factors.countRecoveryCodes(account.id)) > 0 ? null : await makeRecoveryCodes(deps);
  const at = deps.clock.now();
  const added = await transact(deps.db, async (trx) => {
    if ((await deps.users.findLocked(trx, { id: account.id })) === undefined) throw challengeOver('add');
    if (!(await deps.challenges.end(trx, challengeHash))) throw challengeOver('add');
    const isFirst = (await deps.factors.ofUser(account.id, trx)).length === 0;
    const row = await deps.factors.add(trx, account.id, request.body.name, factor, at);
    if (row === undefined) throw challengeOver('add');
    if (codes !== null) await deps.factors.setRecoveryCodes(trx, account.id, codes.rows);
    const session = deps.tokens.sessionHash(request.client.sessionToken);
    // Proven in this session, unless another browser's first factor has ended the session meanwhile.
    if (session === null || !(await deps.sessions.noteConfirmed(trx, session, at))) throw challengeOver('add');
    const after = { kind: row.kind, name: row.name };
    await record(deps, trx, { account, action: 'second-factor-added', after });
    // No other session has given a second factor: one of them may belong to someone who stole the password.
    if (isFirst) await endOthers(deps, trx, account, session);
    return row;
  });
  const data = { factor: shownFactor(deps, added), recoveryCodes: codes?.shown ?? null };
  // This browser has given the password and a second factor: other people's attempts do not count against it.
  const device = deps.tokens.deviceCookie(request.client.deviceToken, account, 'second-factor', deps.clock.now());
  return { data, device };
}

/** Reads what a browser made for the challenge. */
export function readPasskey({ passkeys }: LoginDeps, response: PasskeyResponse) {
  return async ({ passkeyChallenge }: OpenChallenge): Promise<ReadFactor> => {
    if (passkeyChallenge === null || !passkeys.isAnswerTo(response, passkeyChallenge)) return 'over';
    const made = await passkeys.readNew(response, passkeyChallenge);
    return made === null ? null : { kind: 'passkey', ...made };
  };
}

/** Checks the new app's current code against the secret it was given. */
export function readAuthenticator(deps: LoginDeps, code: string) {
  return ({ sealedSecret, userId }: OpenChallenge): ReadFactor => {
    if (sealedSecret === null) return 'over';
    const secret = deps.seal.open(sealedSecret, userId);
    const lastStep = secret === null ? null : stepOf(secret, code, deps.clock.now());
    if (lastStep === null) return null;
    return { kind: 'authenticator', sealedSecret, lastStep: String(lastStep) };
  };
}

/** Ten codes, as they are shown once and as they are stored. */
export async function makeRecoveryCodes({ passwords }: LoginDeps) {
  const codes = newRecoveryCodes();
  // One after the other: ten at once would fill the queue.
  const rows: { readonly handle: string; readonly codeHash: string }[] = [];
  for (const { handle, secret } of codes) rows.push({ handle, codeHash: await passwords.hash(secret) });
  return { shown: codes.map(shownCode), rows };
}

interface Removed extends Pick<Parameters<typeof record>[2], 'account' | 'actor'> {
  readonly factor: Pick<Factor, 'id' | 'kind' | 'name'>;
  readonly isLast: boolean;
}

/** Removing the last one also removes the recovery codes: the password is then enough. */
export async function removeFactor(deps: LoginDeps, trx: Trx, { factor, isLast, ...of }: Removed): Promise<void> {
  await deps.factors.remove(trx, factor.id);
  if (isLast) await deps.factors.setRecoveryCodes(trx, of.account.id, []);
  const before = { kind: factor.kind, name: factor.name };
  await record(deps, trx, { ...of, action: 'second-factor-removed', before });
}
