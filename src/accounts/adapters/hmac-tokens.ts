import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { MarkedAccount, Tokens } from '../ports.ts';

const tokenBytes = 32;
const deviceBytes = 16;
/** 32 bytes in base64url. */
const sessionTokenShape = /^[A-Za-z0-9_-]{43}$/;
const deviceMarkShape = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;
const nameMarkLength = 16;

/** The port on HMAC-SHA256 under SESSION_SECRET; each use has a name of its own, so that none can stand for another. */
export function createHmacTokens(secret: string): Tokens {
  const digest = (use: string, ...parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([use, ...parts]))
      .digest();
  const text = (use: string, ...parts: readonly string[]): string => digest(use, ...parts).toString('base64url');
  const accountMark = ({ id, passwordHash }: MarkedAccount): string => text('device account', id, passwordHash);
  return {
    newToken: () => randomBytes(tokenBytes).toString('base64url'),
    sessionHash: (token) => (token !== null && sessionTokenShape.test(token) ? digest('session', token) : null),
    attemptKey: (kind, ...parts) => digest(`attempt ${kind}`, ...parts),
    nameMark: (usernameKey) => text('name', usernameKey).slice(0, nameMarkLength),
    newDeviceMark: (account) => {
      const [device, whose] = [randomBytes(deviceBytes).toString('base64url'), accountMark(account)];
      return [device, whose, text('device', device, whose)].join('.');
    },
    readDeviceMark: (mark) => {
      const [, device, whose, seal] = deviceMarkShape.exec(mark ?? '') ?? [];
      if (device === undefined || whose === undefined || seal === undefined) return null;
      if (!areEqual(seal, text('device', device, whose))) return null;
      return { device, isOf: (account) => areEqual(whose, accountMark(account)) };
    },
  };
}

/** In constant time. */
const areEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
