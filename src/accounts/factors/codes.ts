import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands (RFC 6238): six digits of SHA-1 every 30 seconds, secrets of 160 bits. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** One step early or late: phone clocks are off, and people type slowly. */
const window = 1;
const secretBytes = 20;

/** A code as the app shows it; some people type the space in the middle. */
export const codeShape = /^\d{3} ?\d{3}$/;

/** RFC 4648 without padding: for typing it in where there is no camera. */
export const secretText = (secret: Uint8Array): string => keyOf(secret).base32;

export const newSecret = (): Uint8Array => new Secret({ size: secretBytes }).bytes;

/** `otpauth://totp/…`: what the QR code holds. */
export const secretUri = (secret: Uint8Array, issuer: string, username: string): string =>
  new TOTP({ ...form, issuer, label: username, secret: keyOf(secret) }).toString();

/** The 30-second step since 1970 that this code belongs to; null: no step around `at`. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  const timestamp = at.getTime();
  const delta = TOTP.validate({ ...form, token: code.replace(' ', ''), secret: keyOf(secret), timestamp, window });
  return delta === null ? null : TOTP.counter({ period: form.period, timestamp }) + delta;
}

// Copied, because a Buffer may be part of a larger pool.
const keyOf = (secret: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(secret).buffer });

/** Letters and digits that are hard to confuse (Crockford's base 32): five bits each. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const group = 4;
const groups = 4;
const codeCount = 10;

/** The first group finds a code among the ten, the other three (60 bits) prove it. */
export interface RecoveryCode {
  readonly handle: string;
  readonly secret: string;
}

/** Ten codes, no two with the same handle. */
export function newRecoveryCodes(): readonly RecoveryCode[] {
  const codes = new Map<string, RecoveryCode>();
  while (codes.size < codeCount) {
    const letters = Array.from(randomBytes(group * groups), (byte) => alphabet[byte % alphabet.length]).join('');
    const handle = letters.slice(0, group);
    codes.set(handle, { handle, secret: letters.slice(group) });
  }
  return [...codes.values()];
}

/** As it is shown to its owner: `k7f2-9xqm-0abc-d3ef`. */
export const shownCode = ({ handle, secret }: RecoveryCode): string =>
  [handle, ...(secret.match(new RegExp(`.{${group}}`, 'g')) ?? [])].join('-');

/** Reads a typed code; null: it is not a recovery code. */
export function readRecoveryCode(typed: string): RecoveryCode | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isOne = letters.length === group * groups && Array.from(letters).every((letter) => alphabet.includes(letter));
  return isOne ? { handle: letters.slice(0, group), secret: letters.slice(group) } : null;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** NIST SP 800-38D, 8.2: 96 bits. Random nonces are safe for 2^32 secrets. */
const nonceBytes = 12;
const tagBytes = 16;

export type Seal = ReturnType<typeof createSeal>;

/**
 * Encrypts secrets that must be readable again, but not from a copy of the database alone: AES-256-GCM with a key that HKDF derives
 * from SESSION_SECRET. `owner` is bound in: a row moved to another account cannot be opened.
 */
export function createSeal(sessionSecret: string) {
  const key = Buffer.from(hkdfSync('sha256', sessionSecret, '', 'secrets of second factors', keyBytes));
  return {
    seal: (secret: Uint8Array, owner: string): Uint8Array => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    /** null: it was sealed under another SESSION_SECRET, for another owner, or was changed. */
    open: (sealed: Uint8Array, owner: string): Uint8Array | null => {
      const bytes = Buffer.from(sealed);
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
