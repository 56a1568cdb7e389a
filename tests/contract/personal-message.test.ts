import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { PasskeyKeypair } from '@mysten/sui/keypairs/passkey';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import type { PublicKey } from '@mysten/sui/cryptography';
import { getZkLoginSignature, toZkLoginPublicIdentifier } from '@mysten/sui/zklogin';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { authenticator, authenticatorKey } from '../support/passkey-authenticator.ts';

let sandbox: Sandbox;
let sui: SuiClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  sui = open();
});
afterAll(() => sandbox.stop());
afterEach(() => sandbox.faults.clear());
const open = (limits: Partial<CallLimits> = {}): SuiClient =>
  createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.sui, limits });

const message = new TextEncoder().encode(
  'Sui Rocks asks: is this wallet yours? This is not a transaction. Nonce 7f3a.',
);
const otherMessage = new TextEncoder().encode(
  'Sui Rocks asks: is this wallet yours? This is not a transaction. Nonce 7f3b.',
);
const stranger = new Ed25519Keypair().toSuiAddress();

interface Signer {
  readonly address: string;
  readonly sign: (text: Uint8Array) => Promise<string>;
}

const signerOf = (keypair: Ed25519Keypair | Secp256k1Keypair | Secp256r1Keypair | PasskeyKeypair): Signer => ({
  address: keypair.toSuiAddress(),
  sign: async (text) => (await keypair.signPersonalMessage(text)).signature,
});

/** A multisig: two of three members, with three schemes. */
const members = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()];
const committee = MultiSigPublicKey.fromPublicKeys({
  threshold: 2,
  publicKeys: members.map((member): { publicKey: PublicKey; weight: number } => ({
    publicKey: member.getPublicKey(),
    weight: 1,
  })),
});
const signTogether = async (text: Uint8Array, count: number): Promise<string> => {
  const signed = await Promise.all(members.slice(0, count).map((member) => member.signPersonalMessage(text)));
  return committee.combinePartialSignatures(signed.map(({ signature }) => signature));
};

/** A zkLogin signature with a real short-lived key and a proof that only the chain can check. */
const shortLived = new Ed25519Keypair();
const addressSeed = 13322897930163218532266430409510394316985274769125667290600321564259466511711n;
const issuer = 'https://accounts.google.com';
const zkLoginKey = toZkLoginPublicIdentifier(addressSeed, issuer, { legacyAddress: false });
const signWithZkLogin = async (text: Uint8Array): Promise<string> => {
  const { signature: userSignature } = await shortLived.signPersonalMessage(text);
  return getZkLoginSignature({
    inputs: {
      proofPoints: {
        a: ['1', '2', '1'],
        b: [
          ['1', '2'],
          ['3', '4'],
          ['1', '0'],
        ],
        c: ['1', '2', '1'],
      },
      // The claim `"iss":"https://accounts.google.com",` as in a token.
      issBase64Details: {
        value: Buffer.from('"iss":"https://accounts.google.com",').toString('base64url'),
        indexMod4: 0,
      },
      headerBase64: Buffer.from('{"alg":"RS256"}').toString('base64url'),
      addressSeed: addressSeed.toString(),
    },
    maxEpoch: '1000',
    userSignature,
  });
};
const acceptedByTheChain = async (text: Uint8Array): Promise<string> => {
  const signature = await signWithZkLogin(text);
  sandbox.world.state.acceptedZkLogins.add(signature);
  return signature;
};

const signers: Readonly<Record<string, Signer>> = {
  ed25519: signerOf(members[0] ?? new Ed25519Keypair()),
  secp256k1: signerOf(members[1] ?? new Ed25519Keypair()),
  secp256r1: signerOf(members[2] ?? new Ed25519Keypair()),
  multisig: { address: committee.toSuiAddress(), sign: (text) => signTogether(text, 2) },
  zklogin: { address: zkLoginKey.toSuiAddress(), sign: acceptedByTheChain },
  passkey: signerOf(new PasskeyKeypair(authenticatorKey.getPublicKey().toRawBytes(), authenticator)),
};
const cases = Object.entries(signers).map(([scheme, signer]) => ({ scheme, ...signer }));
const notTheirs = { kind: 'invalid', problem: 'not-this-wallet-or-message' };
const malformed = { kind: 'invalid', problem: 'malformed' };

describe.each(cases)('rulings R5: a signature by $scheme', ({ scheme, address, sign }) => {
  test('is valid for its message and its wallet, in every spelling of the address', async () => {
    const signature = await sign(message);
    for (const written of [address, `0x${address.slice(2).toUpperCase()}`, address.slice(2)]) {
      expect(await sui.verifyPersonalMessage({ message, signature, address: written })).toEqual({
        kind: 'valid',
        scheme,
      });
    }
  });

  test('is not valid for a message that differs in one letter', async () => {
    const signature = await sign(otherMessage);
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual(notTheirs);
  });

  test('is not valid for another wallet', async () => {
    const signature = await sign(message);
    expect(await sui.verifyPersonalMessage({ message, signature, address: stranger })).toEqual(notTheirs);
  });

  test('is never valid with a flipped bit, wherever it is', async () => {
    const bytes = Buffer.from(await sign(message), 'base64');
    for (const at of [1, 5, 40, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const turned = Buffer.from(bytes);
      turned.writeUInt8(turned.readUInt8(at) ^ 1, at);
      const verdict = await sui.verifyPersonalMessage({ message, signature: turned.toString('base64'), address });
      expect(verdict.kind, `byte ${at}`).toBe('invalid');
    }
  });

  test('is not valid if cut off or too long', async () => {
    const signature = await sign(message);
    for (const broken of [signature.slice(0, 40), signature.slice(0, -8), signature + 'A'.repeat(30_000)]) {
      const verdict = await sui.verifyPersonalMessage({ message, signature: broken, address });
      expect(verdict.kind).toBe('invalid');
    }
  });
});

describe('a multisig', () => {
  test('below its threshold is not valid', async () => {
    const signature = await signTogether(message, 1);
    const address = committee.toSuiAddress();
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual(notTheirs);
  });

  test('with one signature for another message is not valid', async () => {
    const [first, second] = members;
    const signed = await Promise.all([first?.signPersonalMessage(message), second?.signPersonalMessage(otherMessage)]);
    const signature = committee.combinePartialSignatures(signed.map((each) => each?.signature ?? ''));
    const address = committee.toSuiAddress();
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual(notTheirs);
  });

  test('with a zkLogin member is checked by the chain', async () => {
    const mixed = MultiSigPublicKey.fromPublicKeys({
      threshold: 1,
      publicKeys: [
        { publicKey: zkLoginKey, weight: 1 },
        { publicKey: new Ed25519Keypair().getPublicKey(), weight: 1 },
      ],
    });
    const signature = mixed.combinePartialSignatures([await signWithZkLogin(message)]);
    const address = mixed.toSuiAddress();
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual(notTheirs);
    sandbox.world.state.acceptedZkLogins.add(signature);
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual({
      kind: 'valid',
      scheme: 'multisig',
    });
  });
});

describe('a zkLogin signature', () => {
  const address = zkLoginKey.toSuiAddress();

  test('is not valid if the chain refuses its proof', async () => {
    const signature = await signWithZkLogin(message);
    sandbox.world.state.acceptedZkLogins.clear();
    expect(await sui.verifyPersonalMessage({ message, signature, address })).toEqual(notTheirs);
  });

  test('is refused for another wallet without a call to the chain', async () => {
    const signature = await acceptedByTheChain(message);
    sandbox.requests.reset();
    expect(await sui.verifyPersonalMessage({ message, signature, address: stranger })).toEqual(notTheirs);
    expect(sandbox.requests.of('sui').count).toBe(0);
  });

  test.each(['500', '429', 'refused', 'malformed', 'empty', 'hang'] as const)(
    'is neither valid nor invalid while the node gives %s: try later',
    async (kind) => {
      const signature = await acceptedByTheChain(message);
      await sandbox.faults.set('sui', { kind });
      const client = open({ retries: 0, attemptTimeoutMs: 500, totalTimeoutMs: 700 });
      await expect(client.verifyPersonalMessage({ message, signature, address })).rejects.toThrow(Unavailable);
    },
  );

  test('all other schemes need no chain', async () => {
    await sandbox.faults.set('sui', { kind: '500' });
    for (const { scheme, address: signer, sign } of cases.filter((each) => each.scheme !== 'zklogin')) {
      const signature = await sign(message);
      expect(await sui.verifyPersonalMessage({ message, signature, address: signer })).toEqual({
        kind: 'valid',
        scheme,
      });
    }
  });
});

describe('malformed input', () => {
  test.each([
    '',
    'AA==',
    'not base64 at all!',
    'undefined',
    Buffer.from([9, ...randomBytes(96)]).toString('base64'),
    Buffer.from([3, ...randomBytes(200)]).toString('base64'),
    Buffer.from([5, ...randomBytes(900)]).toString('base64'),
    Buffer.from([6, ...randomBytes(300)]).toString('base64'),
    'A'.repeat(5_000_000),
  ])('is refused as a signature: %#', async (signature) => {
    expect(await sui.verifyPersonalMessage({ message, signature, address: stranger })).toEqual(malformed);
  });

  test.each(['', '0x2', 'stranger', `${stranger}00`, `${stranger.slice(0, -1)}g`])(
    'is refused as an address: "%s"',
    async (address) => {
      const { sign } = cases[0] ?? { sign: () => Promise.resolve('') };
      expect(await sui.verifyPersonalMessage({ message, signature: await sign(message), address })).toEqual(malformed);
    },
  );
});
