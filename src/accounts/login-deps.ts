import type { Kysely } from 'kysely';

import type { AuditActor, AuditEntry } from '../audit/contract.ts';
import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import type { CookieToken } from '../http/route.ts';
import type { AttemptStore, User, UserStore } from './account-store.ts';
import type { ChallengeStore, FactorStore } from './factors/factor-store.ts';
import type { Passkeys } from './factors/passkeys.ts';
import type { Seal } from './factors/codes.ts';
import type { Passwords } from './passwords.ts';
import type { SessionStore } from './session-store.ts';
import type { Tokens } from './tokens.ts';

/** What the login, second factors and the tab 'Accounts' need. */
export interface LoginDeps {
  readonly db: Kysely<Database>;
  readonly users: UserStore;
  readonly attempts: AttemptStore;
  readonly tokens: Tokens;
  readonly sessions: SessionStore;
  readonly passwords: Passwords;
  readonly factors: FactorStore;
  readonly challenges: ChallengeStore;
  readonly passkeys: Passkeys;
  readonly seal: Seal;
  /** What authenticator apps call this product. */
  readonly productName: string;
  readonly clock: { now(): Date };
  readonly audit: { readonly record: (entry: AuditEntry, trx: Trx) => Promise<void> };
}

export interface SignedIn {
  readonly kind: 'signed-in';
  readonly user: User;
  readonly session: CookieToken;
  readonly device: CookieToken;
}

export const subjectOf = ({ id, username }: Pick<User, 'id' | 'username'>) => ({ kind: 'user', id, label: username });

interface Recorded {
  readonly account: User;
  /** The account's own user unless another is named. */
  readonly actor?: AuditActor;
  readonly action: string;
  readonly before?: AuditEntry['before'];
  readonly after?: AuditEntry['after'];
}

/** Records what happened to an account in the audit log. */
export const record = (
  { audit }: Pick<LoginDeps, 'audit'>,
  trx: Trx,
  { account, actor = ownerOf(account), action, before = null, after = null }: Recorded,
): Promise<void> => audit.record({ actor, action, subject: subjectOf(account), before, after }, trx);

const ownerOf = ({ id, username, rights }: User): AuditActor => ({
  kind: rights === null ? 'user' : 'admin',
  userId: id,
  name: username,
});
