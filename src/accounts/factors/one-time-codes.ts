import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands (RFC 6238): six digits of SHA-1 every 30 seconds, secrets of 160 bits. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** One step early or late: clocks of phones are off, and people type slowly. */
const window = 1;
const secretBytes = 20;

/** A code as its app shows it; some people type the space in its middle. */
export const codeShape = /^\d{3} ?\d{3}$/;

/** RFC 4648 without padding: what is typed where no camera is at hand. */
export const secretText = (secret: Uint8Array): string => keyOf(secret).base32;

export const newSecret = (): Uint8Array => new Secret({ size: secretBytes }).bytes;

/** `otpauth://totp/…`: what the QR code holds. */
export const secretUri = (secret: Uint8Array, issuer: string, username: string): string =>
  new TOTP({ ...form, issuer, label: username, secret: keyOf(secret) }).toString();

/** The number of the 30 seconds since 1970 to which this code belongs; null: to none around `at`. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  const timestamp = at.getTime();
  const delta = TOTP.validate({ ...form, token: code.replace(' ', ''), secret: keyOf(secret), timestamp, window });
  return delta === null ? null : TOTP.counter({ period: form.period, timestamp }) + delta;
}

// A copy: a Buffer may lie in a larger pool.
const keyOf = (secret: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(secret).buffer });
