import type { AuditActor } from '../audit/contract.ts';
import { type Trx, transact } from '../db/transaction.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import type { Account, User } from './account-store.ts';
import { newPasswordProblem, usernameKey, usernameProblem } from './core/credentials.ts';
import { subjectOf, type LoginDeps } from './login.ts';

type AccountDeps = Pick<LoginDeps, 'db' | 'users' | 'sessions' | 'passwords' | 'audit' | 'clock'>;

/** Every mutation is recorded under `actor`, in one transaction with its entry. */
export interface Accounts {
  /** Throws Invalid for a name or password that cannot be, Refused `username-taken`. */
  add(account: { readonly username: string; readonly password: string; readonly isAdmin: boolean }): Promise<User>;
  /** Ends all of the account's sessions. Throws Invalid, Refused `not-found`. */
  setPassword(username: string, password: string): Promise<void>;
  /** Taking it away ends all of the account's sessions. Throws Refused `not-found`, `last-admin`. */
  setAdmin(username: string, isAdmin: boolean): Promise<void>;
  /** Ends all of the account's sessions. Throws Refused `not-found`, `last-admin`. */
  remove(username: string): Promise<void>;
  /** By name. */
  list(): Promise<readonly Account[]>;
  /** Makes sure that this admin can sign in with this password. */
  ensureAdmin(admin: { readonly username: string; readonly password: string }): Promise<void>;
}

export function createAccounts(deps: AccountDeps, actor: AuditActor): Accounts {
  const { db, users, passwords } = deps;
  const change = createChange(deps, actor);

  const add: Accounts['add'] = async ({ username, password, isAdmin }) => {
    refuseBadName(username);
    refuseBadPassword(password, username);
    const passwordHash = await passwords.hash(password);
    return transact(db, async (trx) => {
      const newUser = { username, usernameKey: usernameKey(username), passwordHash, isAdmin };
      const user = await users.add(trx, newUser, deps.clock.now());
      if (user === undefined) throw new Refused('username-taken', `There is a user ${username} already.`);
      await record(deps, actor, { action: 'user-added', user, before: null, after: { isAdmin } }, trx);
      return user;
    });
  };
  const setPassword: Accounts['setPassword'] = async (username, password) => {
    refuseBadPassword(password, username);
    const passwordHash = await passwords.hash(password);
    await transact(db, async (trx) => {
      await change.password(trx, await change.find(trx, username), passwordHash);
    });
  };
  const setAdmin: Accounts['setAdmin'] = (username, isAdmin) =>
    transact(db, async (trx) => {
      // Counted first: all callers lock in this order.
      const adminCount = await users.countAdmins(trx);
      const account = await change.find(trx, username);
      if (account.isAdmin === isAdmin) return;
      if (!isAdmin) keepOneAdmin(account, adminCount);
      await change.admin(trx, account, isAdmin);
    });
  return {
    add,
    setPassword,
    setAdmin,
    remove: (username) =>
      transact(db, async (trx) => {
        const adminCount = await users.countAdmins(trx);
        const account = await change.find(trx, username);
        keepOneAdmin(account, adminCount);
        await users.remove(trx, account.id);
        const before = { isAdmin: account.isAdmin };
        await record(deps, actor, { action: 'user-removed', user: account, before, after: null }, trx);
      }),
    list: () => users.list(),
    ensureAdmin: async (admin) => {
      const found = await users.find(usernameKey(admin.username));
      if (found === undefined) {
        await add({ ...admin, isAdmin: true }).catch((error: unknown) => {
          // Another copy of the product that starts at this moment made it.
          if (!(error instanceof Refused && error.reason === 'username-taken')) throw error;
        });
        return;
      }
      await setAdmin(admin.username, true);
      if (!(await passwords.matches(admin.password, found.passwordHash, 'stranger'))) {
        await setPassword(admin.username, admin.password);
      }
    },
  };
}

/** The changes of one account, inside a transaction. */
function createChange(deps: AccountDeps, actor: AuditActor) {
  const { users, sessions, clock } = deps;
  return {
    find: async (trx: Trx, username: string): Promise<Account> => {
      const account = await users.findLocked(trx, usernameKey(username));
      if (account === undefined) throw new Refused('not-found', `There is no user ${username}.`);
      return account;
    },
    password: async (trx: Trx, user: Account, passwordHash: string): Promise<void> => {
      await users.update(trx, user.id, { passwordHash }, clock.now());
      await sessions.removeAllOf(trx, user.id);
      await record(deps, actor, { action: 'password-set', user, before: null, after: null }, trx);
    },
    admin: async (trx: Trx, user: Account, isAdmin: boolean): Promise<void> => {
      await users.update(trx, user.id, { isAdmin }, clock.now());
      if (!isAdmin) await sessions.removeAllOf(trx, user.id);
      const action = isAdmin ? 'admin-granted' : 'admin-revoked';
      const facts = { action, user, before: { isAdmin: user.isAdmin }, after: { isAdmin } };
      await record(deps, actor, facts, trx);
    },
  };
}

interface Recorded {
  readonly action: string;
  readonly user: User;
  readonly before: { readonly isAdmin: boolean } | null;
  readonly after: { readonly isAdmin: boolean } | null;
}

const record = (
  { audit }: AccountDeps,
  actor: AuditActor,
  { action, user, before, after }: Recorded,
  trx: Trx,
): Promise<void> => audit.record({ actor, action, subject: subjectOf(user), before, after }, trx);

function keepOneAdmin({ isAdmin, username }: User, adminCount: number): void {
  if (!isAdmin || adminCount > 1) return;
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
