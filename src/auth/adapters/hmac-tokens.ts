import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Tokens } from '../ports.ts';

const tokenBytes = 32;
const deviceBytes = 16;
/** 32 bytes in base64url. */
const sessionTokenShape = /^[A-Za-z0-9_-]{43}$/;
const deviceMarkShape = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** The port on HMAC-SHA256 under SESSION_SECRET; each use has a name of its own, so that none can stand for another. */
export function createHmacTokens(secret: string): Tokens {
  const digest = (use: string, ...parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([use, ...parts]))
      .digest();
  const deviceSeal = (device: string, usernameKey: string): string =>
    digest('device', device, usernameKey).toString('base64url');
  return {
    newToken: () => randomBytes(tokenBytes).toString('base64url'),
    sessionHash: (token) => (token !== null && sessionTokenShape.test(token) ? digest('session', token) : null),
    attemptKey: (kind, ...parts) => digest(`attempt ${kind}`, ...parts),
    newDeviceMark: (usernameKey) => {
      const device = randomBytes(deviceBytes).toString('base64url');
      return `${device}.${deviceSeal(device, usernameKey)}`;
    },
    deviceOf: (mark, usernameKey) => {
      const [, device, seal] = deviceMarkShape.exec(mark ?? '') ?? [];
      if (device === undefined || seal === undefined) return null;
      const isGenuine = timingSafeEqual(Buffer.from(seal), Buffer.from(deviceSeal(device, usernameKey)));
      return isGenuine ? device : null;
    },
  };
}
