import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Account } from './account-store.ts';

const tokenBytes = 32;
const deviceBytes = 16;
/** 32 bytes in base64url. */
const sessionTokenShape = /^[A-Za-z0-9_-]{43}$/;
const deviceMarkShape = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;
const nameMarkLength = 16;

/** A new password makes it a different account: the marks of all browsers become invalid. */
type MarkedAccount = Pick<Account, 'id' | 'passwordHash'>;
type CounterKind = 'device' | 'address' | 'account-at-address' | 'account' | 'second-factor' | 'reported';
/** What is asked: a login's second step, a second factor once more, or proof that a new factor works. */
export type ChallengeKind = 'login' | 'confirm' | 'add';

/** The mark of a browser that has signed in before. */
export interface DeviceMark {
  /** A random name for the browser. */
  readonly device: string;
  isOf(account: MarkedAccount): boolean;
  /** Whether it also gave a second factor: a mark for the password alone does not say who is now guessing codes. */
  hasProven(account: MarkedAccount): boolean;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Random tokens and their stored hashes: HMAC-SHA256 with SESSION_SECRET. Each use has its own name, so that no hash is valid for another use. */
export function createTokens(secret: string) {
  const digest = (use: string, ...parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([use, ...parts]))
      .digest();
  const text = (use: string, ...parts: readonly string[]): string => digest(use, ...parts).toString('base64url');
  const accountMark = ({ id, passwordHash }: MarkedAccount, hasProven: boolean): string =>
    text('device account', id, passwordHash, ...(hasProven ? ['second factor'] : []));
  return {
    newToken: (): string => randomBytes(tokenBytes).toString('base64url'),
    /** null: not the format of our session tokens. */
    sessionHash: (token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest('session', token) : null,
    /** The hash of the token a browser answers with: of the login's second step, or of its session. null: not the format of our tokens. */
    challengeHash: (kind: ChallengeKind, token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest(`challenge ${kind}`, token) : null,
    /** Which counter an attempt belongs to. */
    attemptKey: (kind: CounterKind, ...parts: readonly string[]): Uint8Array => digest(`attempt ${kind}`, ...parts),
    /** Replaces an unknown name in the log: equal for equal names, and not reversible. */
    nameMark: (usernameKey: string): string => text('name', usernameKey).slice(0, nameMarkLength),
    /** For the cookie `device`: this browser has signed in to that account with its current password, and maybe a second factor. */
    newDeviceMark: (account: MarkedAccount, hasProven: boolean): string => {
      const [device, whose] = [randomBytes(deviceBytes).toString('base64url'), accountMark(account, hasProven)];
      return [device, whose, text('device', device, whose)].join('.');
    },
    /** null: not a mark of this installation. */
    readDeviceMark: (mark: string | null): DeviceMark | null => {
      const [, device, whose, seal] = deviceMarkShape.exec(mark ?? '') ?? [];
      if (device === undefined || whose === undefined || seal === undefined) return null;
      if (!areEqual(seal, text('device', device, whose))) return null;
      const hasProven = (account: MarkedAccount): boolean => areEqual(whose, accountMark(account, true));
      return {
        device,
        hasProven,
        isOf: (account) => areEqual(whose, accountMark(account, false)) || hasProven(account),
      };
    },
  };
}

/** In constant time. */
const areEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
