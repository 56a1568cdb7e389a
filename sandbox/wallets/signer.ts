import { createHash } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { toBase64 } from '@mysten/sui/utils';
import { passkeySigner } from './passkey-signer.ts';
import { zkLoginSigner } from './zk-login-signer.ts';

export type SignatureScheme = 'ED25519' | 'Secp256k1' | 'Secp256r1' | 'MultiSig' | 'ZkLogin' | 'Passkey';

/** Signs with deterministic keys. Signatures are base64, as wallets return them. */
export type WalletSigner = {
  address: string;
  /** Without the scheme's flag byte. */
  publicKey: Uint8Array;
  /** Signs a personal message. */
  sign: (message: Uint8Array) => Promise<string>;
  /** Signs the BCS bytes of a transaction. */
  signTransaction: (bytes: Uint8Array) => Promise<string>;
  /** Multisig only: combines the members' separate signatures. Throws for non-members and duplicates. */
  combine?: (signatures: string[]) => string;
};

/** The same label always gives the same key. These keys are public and worth nothing. */
function keyBytes(label: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`sandbox/key/${label}`).digest());
}

type Keypair = Ed25519Keypair | Secp256k1Keypair | Secp256r1Keypair;

function plainSigner(keypair: Keypair): WalletSigner {
  return {
    address: keypair.toSuiAddress(),
    publicKey: keypair.getPublicKey().toRawBytes(),
    sign: async (message) => (await keypair.signPersonalMessage(message)).signature,
    signTransaction: async (bytes) => (await keypair.signTransaction(bytes)).signature,
  };
}

/** Three keys of three schemes, each of weight 1, any two of which must sign: here the first and the last. */
function multisigSigner(label: string): WalletSigner {
  const first = Ed25519Keypair.fromSecretKey(keyBytes(`${label}/1`));
  const second = Secp256k1Keypair.fromSecretKey(keyBytes(`${label}/2`));
  const third = Secp256r1Keypair.fromSecretKey(keyBytes(`${label}/3`));
  return multisigOf([first, second, third], [first, third]);
}

/** A multisig of members of weight 1, any two of whom must sign; `signing` are the members that `sign` uses. */
function multisigOf(members: readonly Keypair[], signing: readonly Keypair[]): WalletSigner {
  const publicKey = MultiSigPublicKey.fromPublicKeys({
    threshold: 2,
    publicKeys: members.map((keypair) => ({ publicKey: keypair.getPublicKey(), weight: 1 })),
  });
  const keys = members.map((keypair) => toBase64(keypair.getPublicKey().toRawBytes()));
  const placeOf = (signature: string): number => {
    const parsed = parseSerializedSignature(signature);
    return parsed.signatureScheme === 'MultiSig' ? -1 : keys.indexOf(toBase64(parsed.publicKey));
  };
  // The chain expects signatures in the order of the members; the SDK keeps the order it is given.
  const combine = (signatures: string[]): string =>
    publicKey.combinePartialSignatures(signatures.toSorted((one, other) => placeOf(one) - placeOf(other)));
  return {
    address: publicKey.toSuiAddress(),
    publicKey: publicKey.toRawBytes(),
    sign: async (message) => {
      const parts = await Promise.all(signing.map((keypair) => keypair.signPersonalMessage(message)));
      return combine(parts.map(({ signature }) => signature));
    },
    signTransaction: async (bytes) => {
      const parts = await Promise.all(signing.map((keypair) => keypair.signTransaction(bytes)));
      return combine(parts.map(({ signature }) => signature));
    },
    combine,
  };
}

const keypairs = {
  ED25519: (label: string) => Ed25519Keypair.fromSecretKey(keyBytes(label)),
  Secp256k1: (label: string) => Secp256k1Keypair.fromSecretKey(keyBytes(label)),
  Secp256r1: (label: string) => Secp256r1Keypair.fromSecretKey(keyBytes(label)),
};

export type Member = { label: string; scheme: keyof typeof keypairs };

/** A wallet of two people who must both sign. */
export function sharedSigner(one: Member, other: Member): WalletSigner {
  const members = [one, other].map(({ label, scheme }) => keypairs[scheme](label));
  return multisigOf(members, members);
}

const signers: Record<SignatureScheme, (label: string) => WalletSigner> = {
  ED25519: (label) => plainSigner(keypairs.ED25519(label)),
  Secp256k1: (label) => plainSigner(keypairs.Secp256k1(label)),
  Secp256r1: (label) => plainSigner(keypairs.Secp256r1(label)),
  MultiSig: multisigSigner,
  ZkLogin: (label) => zkLoginSigner(keyBytes(label)),
  Passkey: (label) => passkeySigner(keyBytes(label)),
};

export function signerOf(scheme: SignatureScheme, label: string): WalletSigner {
  return signers[scheme](label);
}
