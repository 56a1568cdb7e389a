import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { CookieToken } from '../http/route.ts';
import type { Account } from './account-store.ts';

const tokenBytes = 32;
const deviceBytes = 16;
/** 32 bytes in base64url. */
const sessionTokenShape = /^[A-Za-z0-9_-]{43}$/;
/** A random name for the browser, what it proved to which account, and our seal on both. */
const deviceTokenShape = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;
const deviceTokenMs = 180 * 86_400_000;
const pseudonymLength = 16;

/** A new password makes it a different account: the device tokens of all browsers become invalid. */
type DeviceAccount = Pick<Account, 'id' | 'passwordHash'>;
type CounterKind =
  | 'device'
  | 'address'
  | 'account-at-address'
  | 'account'
  | 'second-factor'
  | 'session-password'
  | 'session-code'
  | 'reported';
/** What a challenge is for: a login's second step, a second factor once more, or proof that a new factor works. */
export type ChallengePurpose = 'login' | 'confirm' | 'add';

/** What a browser has proved to an account. A second factor is only given after the password. */
type Proved = 'password' | 'second-factor';

/** A browser that has signed in before. */
interface KnownDevice {
  /** A random name for the browser. */
  readonly device: string;
  /** Whether it proved at least this. One that proved only the password may belong to someone who is now guessing codes. */
  hasProved(account: DeviceAccount, what: Proved): boolean;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Random tokens and their stored hashes: HMAC-SHA256 with SESSION_SECRET. Each use has its own name, so that no hash is valid for another use. */
export function createTokens(secret: string) {
  const digest = (use: string, ...parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([use, ...parts]))
      .digest();
  const text = (use: string, ...parts: readonly string[]): string => digest(use, ...parts).toString('base64url');
  return {
    newToken: (): string => randomBytes(tokenBytes).toString('base64url'),
    /** null: not the format of our session tokens. */
    sessionHash: (token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest('session', token) : null,
    /** The hash of the token a browser answers with: of the login's second step, or of its session. null: not the format of our tokens. */
    challengeHash: (purpose: ChallengePurpose, token: string | null): Uint8Array | null =>
      token !== null && sessionTokenShape.test(token) ? digest(`challenge ${purpose}`, token) : null,
    /** Which counter an attempt belongs to. */
    attemptKey: (kind: CounterKind, ...parts: readonly string[]): Uint8Array => digest(`attempt ${kind}`, ...parts),
    /** Replaces an unknown name in the log: equal for equal names, and not reversible. */
    pseudonym: (usernameKey: string): string => text('name', usernameKey).slice(0, pseudonymLength),
    ...deviceTokens(text),
  };
}

/** `text` computes the hash of one use in base64url. */
function deviceTokens(text: (use: string, ...parts: readonly string[]) => string) {
  const proofOf = ({ id, passwordHash }: DeviceAccount, what: Proved): string =>
    text('device account', id, passwordHash, ...(what === 'second-factor' ? ['second factor'] : []));
  const newDeviceToken = (account: DeviceAccount, proved: Proved): string => {
    const device = randomBytes(deviceBytes).toString('base64url');
    const proof = proofOf(account, proved);
    return [device, proof, text('device', device, proof)].join('.');
  };
  /** null: not a device token of this installation. */
  const readDeviceToken = (token: string | null): KnownDevice | null => {
    const [, device, proof, seal] = deviceTokenShape.exec(token ?? '') ?? [];
    if (device === undefined || proof === undefined || seal === undefined) return null;
    if (!areEqual(seal, text('device', device, proof))) return null;
    const isProofOf = (account: DeviceAccount, what: Proved): boolean => areEqual(proof, proofOf(account, what));
    return { device, hasProved: (account, what) => isProofOf(account, what) || isProofOf(account, 'second-factor') };
  };
  return {
    readDeviceToken,
    /** For the cookie `device` of a browser that has just proved this: the token it has, or a new one where that does not say as much. */
    deviceCookie: (current: string | null, account: DeviceAccount, proved: Proved, at: Date): CookieToken => {
      const isEnough = readDeviceToken(current)?.hasProved(account, proved) === true;
      const token = isEnough && current !== null ? current : newDeviceToken(account, proved);
      return { token, expiresAt: new Date(at.getTime() + deviceTokenMs) };
    },
  };
}

/** In constant time. */
const areEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
