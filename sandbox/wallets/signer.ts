import { createHash } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { passkeySigner } from './passkey-signer.ts';
import { zkLoginSigner } from './zk-login-signer.ts';

export type SignatureScheme = 'ED25519' | 'Secp256k1' | 'Secp256r1' | 'MultiSig' | 'ZkLogin' | 'Passkey';

/** Signs personal messages with one deterministic key. Signatures are base64, as wallets give them. */
export type WalletSigner = {
  address: string;
  /** Without the byte that names the scheme. */
  publicKey: Uint8Array;
  sign: (message: Uint8Array) => Promise<string>;
};

/** The same label always gives the same key. These keys are known to everybody and worth nothing. */
function keyBytes(label: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`sandbox/key/${label}`).digest());
}

type Keypair = Ed25519Keypair | Secp256k1Keypair | Secp256r1Keypair;

function plainSigner(keypair: Keypair): WalletSigner {
  return {
    address: keypair.toSuiAddress(),
    publicKey: keypair.getPublicKey().toRawBytes(),
    sign: async (message) => (await keypair.signPersonalMessage(message)).signature,
  };
}

/** Three keys of three schemes, each of weight 1; any two of them sign. Here the first and the last do. */
function multisigSigner(label: string): WalletSigner {
  const first = Ed25519Keypair.fromSecretKey(keyBytes(`${label}/1`));
  const second = Secp256k1Keypair.fromSecretKey(keyBytes(`${label}/2`));
  const third = Secp256r1Keypair.fromSecretKey(keyBytes(`${label}/3`));
  const publicKey = MultiSigPublicKey.fromPublicKeys({
    threshold: 2,
    publicKeys: [first, second, third].map((keypair) => ({ publicKey: keypair.getPublicKey(), weight: 1 })),
  });
  return {
    address: publicKey.toSuiAddress(),
    publicKey: publicKey.toRawBytes(),
    sign: async (message) => {
      const parts = await Promise.all([first, third].map((keypair) => keypair.signPersonalMessage(message)));
      return publicKey.combinePartialSignatures(parts.map(({ signature }) => signature));
    },
  };
}

const signers: Record<SignatureScheme, (label: string) => WalletSigner> = {
  ED25519: (label) => plainSigner(Ed25519Keypair.fromSecretKey(keyBytes(label))),
  Secp256k1: (label) => plainSigner(Secp256k1Keypair.fromSecretKey(keyBytes(label))),
  Secp256r1: (label) => plainSigner(Secp256r1Keypair.fromSecretKey(keyBytes(label))),
  MultiSig: multisigSigner,
  ZkLogin: (label) => zkLoginSigner(keyBytes(label)),
  Passkey: (label) => passkeySigner(keyBytes(label)),
};

export function signerOf(scheme: SignatureScheme, label: string): WalletSigner {
  return signers[scheme](label);
}
