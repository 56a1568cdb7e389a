import type { OpenTransaction } from '../shared/open-transaction.ts';
import type { Attempts } from './core/login-throttle.ts';
import type { SessionLife } from './core/session-life.ts';

export type { AuditTrail } from '../audit/contract.ts';

/** Every method throws the database's own error when that cannot be asked. */

export interface User {
  /** A decimal number. */
  readonly id: string;
  readonly username: string;
  readonly isAdmin: boolean;
}

export interface Account extends User {
  readonly passwordHash: string;
  readonly createdAt: Date;
}

export interface UserStore {
  /** By `usernameKey`. Inside a transaction the account cannot change before that ends. */
  find(key: string, transaction?: OpenTransaction): Promise<Account | null>;
  /** By name. */
  list(): Promise<readonly Account[]>;
  /** null: the name is taken. */
  add(user: NewUser, at: Date, transaction: OpenTransaction): Promise<User | null>;
  update(
    id: string,
    change: { readonly passwordHash?: string; readonly isAdmin?: boolean },
    at: Date,
    transaction: OpenTransaction,
  ): Promise<void>;
  remove(id: string, transaction: OpenTransaction): Promise<void>;
  /** How many admins there are; nobody else can make it less before the transaction ends. */
  countAdmins(transaction: OpenTransaction): Promise<number>;
}

interface NewUser {
  readonly username: string;
  readonly key: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
}

/** Sessions by the hash of their token. */
export interface SessionStore {
  add(tokenHash: Uint8Array, userId: string, life: SessionLife, transaction: OpenTransaction): Promise<void>;
  find(tokenHash: Uint8Array): Promise<{ readonly user: User; readonly life: SessionLife } | null>;
  noteSeen(tokenHash: Uint8Array, life: SessionLife): Promise<void>;
  /** Whose it was; null: there was none. */
  remove(tokenHash: Uint8Array, transaction: OpenTransaction): Promise<User | null>;
  removeAllOf(userId: string, transaction: OpenTransaction): Promise<void>;
}

/** How often somebody tried to sign in. A window begins with its first attempt and is not prolonged by later ones. */
export interface AttemptStore {
  /** Counts one attempt for each key; answers the counts in the order of the keys. */
  count(keys: readonly Uint8Array[], windowMs: number, at: Date): Promise<readonly Attempts[]>;
  /** null: none in the open window. */
  read(key: Uint8Array, at: Date): Promise<Attempts | null>;
  /** Takes one attempt back: it was the owner. */
  forgive(keys: readonly Uint8Array[]): Promise<void>;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * `passwordHash` null: there is no such account; it takes the same time and answers false. A browser that is known waits with its
   * likes alone. Throws Unavailable `sign-in-busy` when too many wait.
   */
  matches(password: string, passwordHash: string | null, by: 'stranger' | 'known-browser'): Promise<boolean>;
}

/** Random tokens and what is kept of them; all under one secret. */
export interface Tokens {
  newToken(): string;
  /** null: no session token of ours looks like that. */
  sessionHash(token: string | null): Uint8Array | null;
  /** Which counter an attempt belongs to. */
  attemptKey(
    kind: 'device' | 'address' | 'account-at-address' | 'account' | 'told',
    ...parts: readonly string[]
  ): Uint8Array;
  /** Stands in the log for a name that is nobody's: equal for equal names, and nobody reads the name out of it. */
  nameMark(usernameKey: string): string;
  /** For the cookie `device`: says that this browser has signed in to that account with its present password. */
  newDeviceMark(account: MarkedAccount): string;
  /** null: no mark of this installation. */
  readDeviceMark(mark: string | null): DeviceMark | null;
}

/** A new password makes another account of it, so that it forgets all browsers. */
export type MarkedAccount = Pick<Account, 'id' | 'passwordHash'>;

export interface DeviceMark {
  /** The browser's own name. */
  readonly device: string;
  isOf(account: MarkedAccount): boolean;
}

export interface Transactions {
  /** Commits when `work` resolves and undoes all of it when that throws. */
  run<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T>;
}

export interface Clock {
  now(): Date;
}
