import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Account } from './account-store.ts';

const tokenBytes = 32;
const deviceBytes = 16;
/** 32 bytes in base64url. */
const sessionTokenShape = /^[A-Za-z0-9_-]{43}$/;
const deviceMarkShape = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;
const nameMarkLength = 16;

/** With a new password it counts as another account: all browsers are forgotten. */
type MarkedAccount = Pick<Account, 'id' | 'passwordHash'>;
type CounterKind = 'device' | 'address' | 'account-at-address' | 'account' | 'second-factor' | 'reported';
/** What is asked: the second step of a login, a second factor once more, the proof that a new one works. */
export type ChallengeKind = 'login' | 'confirm' | 'add';

/** Of a browser that has signed in before. */
export interface DeviceMark {
  /** The browser's own name. */
  readonly device: string;
  isOf(account: MarkedAccount): boolean;
  /** Whether it gave a second factor as well: a mark from before there was one says nothing of who guesses its codes. */
  hasProven(account: MarkedAccount): boolean;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Random tokens and what is kept of them: HMAC-SHA256 under SESSION_SECRET, each use under a name of its own, so that none can stand for another. */
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
    /** null: no session token of ours looks like that. */
    sessionHash: (token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest('session', token) : null,
    /** Of the token by which a browser answers: that of the login's second step, or of its session. null: it is none of ours. */
    challengeHash: (kind: ChallengeKind, token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest(`challenge ${kind}`, token) : null,
    /** Which counter an attempt belongs to. */
    attemptKey: (kind: CounterKind, ...parts: readonly string[]): Uint8Array => digest(`attempt ${kind}`, ...parts),
    /** Stands in the log for an unknown name: equal for equal names, and not reversible. */
    nameMark: (usernameKey: string): string => text('name', usernameKey).slice(0, nameMarkLength),
    /** For the cookie `device`: this browser has signed in to that account with its present password, and maybe a second factor. */
    newDeviceMark: (account: MarkedAccount, hasProven: boolean): string => {
      const [device, whose] = [randomBytes(deviceBytes).toString('base64url'), accountMark(account, hasProven)];
      return [device, whose, text('device', device, whose)].join('.');
    },
    /** null: no mark of this installation. */
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
