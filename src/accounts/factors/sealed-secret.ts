import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** NIST SP 800-38D, 8.2: 96 bits. Random ones are good for 2^32 secrets. */
const nonceBytes = 12;
const tagBytes = 16;

export type Seal = ReturnType<typeof createSeal>;

/**
 * Secrets that have to be read again, and that a copy of the database alone must not give away: AES-256-GCM under a key that HKDF makes
 * of SESSION_SECRET. `owner` is bound in, so that a row put to another account opens nothing.
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
