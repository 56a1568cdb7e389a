import type { PasskeyProvider } from '@mysten/sui/keypairs/passkey';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { createHash } from 'node:crypto';

type Assertion = Awaited<ReturnType<PasskeyProvider['get']>>;

/** An authenticator as in a browser: a real P-256 key, and the client data that names the challenge. */
export const authenticatorKey = new Secp256r1Keypair();
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
export const authenticator: PasskeyProvider = {
  create: () => Promise.reject(new Error('It has its key already')),
  get: async (challenge) => {
    const clientData = {
      type: 'webauthn.get',
      challenge: Buffer.from(challenge).toString('base64url'),
      origin: 'https://rocks.example',
      crossOrigin: false,
    };
    const clientDataJSON = Buffer.from(JSON.stringify(clientData));
    const authenticatorData = Buffer.concat([sha256(Buffer.from('rocks.example')), Buffer.from([5, 0, 0, 0, 1])]);
    const compact = await authenticatorKey.sign(Buffer.concat([authenticatorData, sha256(clientDataJSON)]));
    const response = { authenticatorData, clientDataJSON, signature: derOf(compact) };
    return { response } as unknown as Assertion;
  },
};

/** Browsers return r and s in DER; the SDK's key returns 32 bytes of each. */
function derOf(compact: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array): Buffer => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = Buffer.from(bytes.subarray(start));
    const positive = (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.from([0]), digits]);
    return Buffer.concat([Buffer.from([0x02, positive.length]), positive]);
  };
  const both = Buffer.concat([integer(compact.subarray(0, 32)), integer(compact.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, both.length]), both]);
}
