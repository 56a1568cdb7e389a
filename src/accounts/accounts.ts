import type { AuditActor } from '../audit/contract.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import { newPasswordProblem } from './core/guessable-password.ts';
import { usernameKey, usernameProblem } from './core/username.ts';
import { subjectOf, type LoginDeps } from './login.ts';
import type { Account, User } from './ports.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';

type AccountDeps = Pick<LoginDeps, 'users' | 'sessions' | 'passwords' | 'transactions' | 'audit' | 'clock'>;

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
  const { users, passwords, transactions } = deps;
  const change = createChange(deps, actor);

  const add: Accounts['add'] = async ({ username, password, isAdmin }) => {
    refuseBadName(username);
    refuseBadPassword(password, username);
    const passwordHash = await passwords.hash(password);
    return transactions.run(async (transaction) => {
      const newUser = { username, key: usernameKey(username), passwordHash, isAdmin };
      const user = await users.add(newUser, deps.clock.now(), transaction);
      if (user === null) throw new Refused('username-taken', `There is a user ${username} already.`);
      await record(deps, actor, { action: 'user-added', user, before: null, after: { isAdmin } }, transaction);
      return user;
    });
  };
  const setPassword: Accounts['setPassword'] = async (username, password) => {
    refuseBadPassword(password, username);
    const passwordHash = await passwords.hash(password);
    await transactions.run(async (transaction) => {
      await change.password(await change.find(username, transaction), passwordHash, transaction);
    });
  };
  const setAdmin: Accounts['setAdmin'] = (username, isAdmin) =>
    transactions.run(async (transaction) => {
      // Counted first: everybody locks in this order.
      const adminCount = await users.countAdmins(transaction);
      const account = await change.find(username, transaction);
      if (account.isAdmin === isAdmin) return;
      if (!isAdmin) keepOneAdmin(account, adminCount);
      await change.admin(account, isAdmin, transaction);
    });
  return {
    add,
    setPassword,
    setAdmin,
    remove: (username) =>
      transactions.run(async (transaction) => {
        const adminCount = await users.countAdmins(transaction);
        const account = await change.find(username, transaction);
        keepOneAdmin(account, adminCount);
        // Its sessions go with it.
        await users.remove(account.id, transaction);
        const before = { isAdmin: account.isAdmin };
        await record(deps, actor, { action: 'user-removed', user: account, before, after: null }, transaction);
      }),
    list: () => users.list(),
    ensureAdmin: async (admin) => {
      const found = await users.find(usernameKey(admin.username));
      if (found === null) {
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
    find: async (username: string, transaction: OpenTransaction): Promise<Account> => {
      const account = await users.find(usernameKey(username), transaction);
      if (account === null) throw new Refused('not-found', `There is no user ${username}.`);
      return account;
    },
    password: async (user: Account, passwordHash: string, transaction: OpenTransaction): Promise<void> => {
      await users.update(user.id, { passwordHash }, clock.now(), transaction);
      await sessions.removeAllOf(user.id, transaction);
      await record(deps, actor, { action: 'password-set', user, before: null, after: null }, transaction);
    },
    admin: async (user: Account, isAdmin: boolean, transaction: OpenTransaction): Promise<void> => {
      await users.update(user.id, { isAdmin }, clock.now(), transaction);
      if (!isAdmin) await sessions.removeAllOf(user.id, transaction);
      const action = isAdmin ? 'admin-granted' : 'admin-revoked';
      const facts = { action, user, before: { isAdmin: user.isAdmin }, after: { isAdmin } };
      await record(deps, actor, facts, transaction);
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
  transaction: OpenTransaction,
): Promise<void> => audit.record({ actor, action, subject: subjectOf(user), before, after }, transaction);

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
