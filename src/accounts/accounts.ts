import type { AuditActor, AuditEntry } from '../audit/contract.ts';
import { type Trx, transact } from '../db/transaction.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import type { Rights } from '../shared/rights.ts';
import type { Account, User } from './account-store.ts';
import { newPasswordProblem, usernameKey, usernameProblem } from './core/credentials.ts';
import { type LoginDeps, subjectOf } from './login-deps.ts';

type AccountDeps = Pick<LoginDeps, 'db' | 'users' | 'sessions' | 'factors' | 'passwords' | 'audit' | 'clock'>;

/** Every mutation is recorded under `actor`, in one transaction with its entry. */
export interface Accounts {
  /** Throws Invalid for a name or password that cannot be, Refused `username-taken`. */
  add(account: { readonly username: string; readonly password: string; readonly rights: Rights | null }): Promise<User>;
  /** Ends all of the account's sessions. Throws Invalid, Refused `not-found`. */
  setPassword(username: string, password: string): Promise<void>;
  /** null: it may not enter the admin area, and all of its sessions end. Throws Refused `not-found`, `last-admin`. */
  setRights(username: string, rights: Rights | null): Promise<void>;
  /** For who has lost them: the password is enough again. How many there were. Throws Refused `not-found`. */
  removeFactors(username: string): Promise<number>;
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

  const add: Accounts['add'] = async ({ username, password, rights }) => {
    refuseBadName(username);
    refuseBadPassword(password, username);
    const passwordHash = await passwords.hash(password);
    return transact(db, async (trx) => {
      const newUser = { username, usernameKey: usernameKey(username), passwordHash, rights };
      const user = await users.add(trx, newUser, deps.clock.now());
      if (user === undefined) throw new Refused('username-taken', `There is already a user ${username}.`);
      await record(deps, actor, { action: 'user-added', user, before: null, after: { rights } }, trx);
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
  const setRights: Accounts['setRights'] = (username, rights) =>
    transact(db, async (trx) => {
      // Counted first: all callers lock in this order.
      const adminCount = await users.countAdmins(trx);
      await changeRights(deps, actor, { account: await change.find(trx, username), rights, adminCount }, trx);
    });
  return {
    add,
    setPassword,
    setRights,
    remove: (username) =>
      transact(db, async (trx) => {
        const adminCount = await users.countAdmins(trx);
        const account = await change.find(trx, username);
        keepOneAdmin(account, adminCount);
        await users.remove(trx, account.id);
        const before = { rights: account.rights };
        await record(deps, actor, { action: 'user-removed', user: account, before, after: null }, trx);
      }),
    removeFactors: (username) =>
      transact(db, async (trx) => change.withoutFactors(trx, await change.find(trx, username))),
    list: () => users.list(),
    ensureAdmin: async (admin) => {
      const found = await users.find(usernameKey(admin.username));
      if (found === undefined) {
        await add({ ...admin, rights: 'admin' }).catch((error: unknown) => {
          // Another copy of the product that starts at this moment made it.
          if (!(error instanceof Refused && error.reason === 'username-taken')) throw error;
        });
        return;
      }
      await setRights(admin.username, 'admin');
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
      const account = await users.findLocked(trx, { usernameKey: usernameKey(username) });
      if (account === undefined) throw new Refused('not-found', `There is no user ${username}.`);
      return account;
    },
    password: async (trx: Trx, user: Account, passwordHash: string): Promise<void> => {
      await users.update(trx, user.id, { passwordHash }, clock.now());
      await sessions.removeAllOf(trx, user.id);
      await record(deps, actor, { action: 'password-set', user, before: null, after: null }, trx);
    },
    withoutFactors: async (trx: Trx, user: Account): Promise<number> => {
      const removed = await deps.factors.removeAllOf(trx, user.id);
      for (const before of removed) {
        await record(deps, actor, { action: 'second-factor-removed', user, before, after: null }, trx);
      }
      return removed.length;
    },
  };
}

interface RightsChange {
  /** Locked. */
  readonly account: Account;
  readonly rights: Rights | null;
  /** Full admins, locked before the account was. */
  readonly adminCount: number;
}

/** What equals changes nothing and is not logged. Throws Refused `last-admin`. */
export async function changeRights(
  deps: Pick<AccountDeps, 'users' | 'sessions' | 'audit' | 'clock'>,
  actor: AuditActor,
  { account, rights, adminCount }: RightsChange,
  trx: Trx,
): Promise<void> {
  if (account.rights === rights) return;
  keepOneAdmin(account, adminCount);
  await deps.users.update(trx, account.id, { rights }, deps.clock.now());
  if (rights === null) await deps.sessions.removeAllOf(trx, account.id);
  const [before, after] = [{ rights: account.rights }, { rights }];
  await record(deps, actor, { action: 'rights-changed', user: account, before, after }, trx);
}

interface Recorded {
  readonly action: string;
  readonly user: User;
  readonly before: AuditEntry['before'];
  readonly after: AuditEntry['after'];
}

const record = (
  { audit }: Pick<AccountDeps, 'audit'>,
  actor: AuditActor,
  { action, user, before, after }: Recorded,
  trx: Trx,
): Promise<void> => audit.record({ actor, action, subject: subjectOf(user), before, after }, trx);

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
