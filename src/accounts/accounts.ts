import type { AuditActor } from '../audit/contract.ts';
import { type Trx, transact } from '../db/transaction.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import type { Rights } from '../shared/rights.ts';
import type { Account, User } from './account-store.ts';
import { newPasswordProblem, usernameKey, usernameProblem } from './core/credentials.ts';
import { type LoginDeps, record } from './login-deps.ts';

type AccountDeps = Pick<LoginDeps, 'db' | 'users' | 'sessions' | 'factors' | 'passwords' | 'audit' | 'clock'>;

interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly rights: Rights | null;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Every change is recorded under `actor`, in the same transaction. Throws Refused `not-found` for an unknown user. */
export function createAccounts(deps: AccountDeps, actor: AuditActor) {
  const { db, users, passwords, sessions, clock } = deps;
  const find = async (trx: Trx, username: string): Promise<Account> => {
    const account = await users.findLocked(trx, { usernameKey: usernameKey(username) });
    if (account === undefined) throw new Refused('not-found', `There is no user ${username}.`);
    return account;
  };
  return {
    /** Throws Invalid for a name or password that is not allowed, Refused `username-taken`. */
    add: async ({ username, password, rights }: NewAccount): Promise<User> => {
      refuseBadName(username);
      refuseBadPassword(password, username);
      const passwordHash = await passwords.hash(password);
      return transact(db, async (trx) => {
        const newUser = { username, usernameKey: usernameKey(username), passwordHash, rights };
        const account = await users.add(trx, newUser, clock.now());
        if (account === undefined) throw new Refused('username-taken', `There is already a user ${username}.`);
        await record(deps, trx, { account, actor, action: 'user-added', after: { rights } });
        return account;
      });
    },
    /** Ends all of the account's sessions. Throws Invalid. */
    setPassword: async (username: string, password: string): Promise<void> => {
      refuseBadPassword(password, username);
      const passwordHash = await passwords.hash(password);
      await transact(db, async (trx) => {
        const account = await find(trx, username);
        await users.update(trx, account.id, { passwordHash }, clock.now());
        await sessions.removeAllOf(trx, account.id);
        await record(deps, trx, { account, actor, action: 'password-set' });
      });
    },
    /** null: no access to the admin area, and all of the account's sessions end. Throws Refused `last-admin`. */
    setRights: (username: string, rights: Rights | null): Promise<void> =>
      transact(db, async (trx) => {
        // Counted first: all callers lock in this order.
        const adminCount = await users.countAdmins(trx);
        await changeRights(deps, trx, actor, { account: await find(trx, username), rights, adminCount });
      }),
    /** Ends all of the account's sessions. Throws Refused `last-admin`. */
    remove: (username: string): Promise<void> =>
      transact(db, async (trx) => {
        const adminCount = await users.countAdmins(trx);
        const account = await find(trx, username);
        keepOneAdmin(account, adminCount);
        await users.remove(trx, account.id);
        await record(deps, trx, { account, actor, action: 'user-removed', before: { rights: account.rights } });
      }),
    /** For someone who has lost them: the password is then enough. Returns how many there were. */
    removeFactors: (username: string): Promise<number> =>
      transact(db, async (trx) => {
        const account = await find(trx, username);
        const removed = await deps.factors.removeAllOf(trx, account.id);
        for (const before of removed)
          await record(deps, trx, { account, actor, action: 'second-factor-removed', before });
        return removed.length;
      }),
    /** Sorted by name. */
    list: () => users.list(),
  };
}

/** Makes sure that this admin can sign in with this password. Throws Invalid for a name or password that is not allowed. */
export async function ensureAdmin(deps: AccountDeps, admin: Omit<NewAccount, 'rights'>): Promise<void> {
  const accounts = createAccounts(deps, { kind: 'system', name: 'start' });
  const { username, password } = admin;
  const found = await deps.users.find(usernameKey(username));
  if (found === undefined) {
    await accounts.add({ ...admin, rights: 'admin' }).catch((error: unknown) => {
      // Another copy of the product, starting at the same moment, has added it.
      if (!(error instanceof Refused && error.reason === 'username-taken')) throw error;
    });
    return;
  }
  await accounts.setRights(username, 'admin');
  const matches = await deps.passwords.matches(password, found.passwordHash, 'stranger');
  if (!matches) await accounts.setPassword(username, password);
}

interface RightsChange {
  /** Locked. */
  readonly account: Account;
  readonly rights: Rights | null;
  /** Full admins, locked before the account was. */
  readonly adminCount: number;
}

/** Unchanged rights are not logged. Throws Refused `last-admin`. */
export async function changeRights(
  deps: Pick<AccountDeps, 'users' | 'sessions' | 'audit' | 'clock'>,
  trx: Trx,
  actor: AuditActor,
  { account, rights, adminCount }: RightsChange,
): Promise<void> {
  if (rights === null) await deps.sessions.removeAllOf(trx, account.id);
  if (account.rights === rights) return;
  keepOneAdmin(account, adminCount);
  await deps.users.update(trx, account.id, { rights }, deps.clock.now());
  const before = { rights: account.rights };
  await record(deps, trx, { account, actor, action: 'rights-changed', before, after: { rights } });
}

function keepOneAdmin({ rights, username }: User, adminCount: number): void {
  if (rights !== 'admin' || adminCount > 1) return;
  throw new Refused('last-admin', `${username} is the last admin: make somebody else an admin first.`);
}

function refuseBadName(username: string): void {
  const problem = usernameProblem(username);
  if (problem !== null) throw new Invalid('bad-username', problem);
}

function refuseBadPassword(password: string, username: string): void {
  const problem = newPasswordProblem(password, username);
  if (problem !== null) throw new Invalid('bad-password', problem);
}
