import type { KeyObject } from 'node:crypto';
import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';
import type { PasskeyProvider } from '@mysten/sui/keypairs/passkey';
import { PasskeyKeypair } from '@mysten/sui/keypairs/passkey';
import type { WalletSigner } from './signer.ts';

type Assertion = Awaited<ReturnType<PasskeyProvider['get']>>;

/** A passkey wallet: a P-256 key does what a phone's security chip would do. */
export function passkeySigner(secret: Uint8Array): WalletSigner {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret);
  const [x, y] = [curve.getPublicKey().subarray(1, 33), curve.getPublicKey().subarray(33)];
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', d: text(secret), x: text(x), y: text(y) },
  });
  const keypair = new PasskeyKeypair(new Uint8Array(curve.getPublicKey(null, 'compressed')), authenticator(key));
  return {
    address: keypair.getPublicKey().toSuiAddress(),
    publicKey: keypair.getPublicKey().toRawBytes(),
    sign: async (message) => (await keypair.signPersonalMessage(message)).signature,
    signTransaction: async (bytes) => (await keypair.signTransaction(bytes)).signature,
  };
}

/** WebAuthn, 'Generating an assertion': the signature covers the authenticator's data and the hash of the client's. */
function authenticator(key: KeyObject): PasskeyProvider {
  const origin = 'https://wallet.sandbox.example';
  // User present and verified; no counter.
  const data = Buffer.concat([
    createHash('sha256').update(new URL(origin).hostname).digest(),
    Buffer.from([5, 0, 0, 0, 0]),
  ]);
  return {
    create: () => Promise.reject(new Error('This passkey already exists')),
    get: async (challenge) => {
      const client = { type: 'webauthn.get', challenge: Buffer.from(challenge).toString('base64url'), origin };
      const clientData = Buffer.from(JSON.stringify({ ...client, crossOrigin: false }));
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      const signature = sign('sha256', signed, key);
      // Of a browser's credential, only these three fields are used.
      const credential: object = {
        response: { authenticatorData: data, clientDataJSON: clientData, signature },
      };
      return credential as Assertion;
    },
  };
}
