import { bcs } from '@mysten/sui/bcs';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { fromBase64 } from '@mysten/sui/utils';
import { isValidPersonalMessageSignature, publicKeyFromRawBytes } from '@mysten/sui/verify';
import { canonicalWallet } from '../../shared/sui-address.ts';
import { hasStatus, malformed, type SuiCall } from './sui-call.ts';

export interface SignedMessage {
  /** The text as its bytes; intent and length are added here. */
  readonly message: Uint8Array;
  /** As the wallet gave it: base64 of the scheme's flag, signature and public key. Anything at all from outside. */
  readonly signature: string;
  /** All 64 digits, in small or capital letters. */
  readonly address: string;
}

export type SignatureVerdict =
  | { readonly kind: 'valid'; readonly scheme: SignatureScheme }
  | { readonly kind: 'invalid'; readonly problem: 'malformed' | 'not-this-wallet-or-message' };

type SignatureScheme = 'ed25519' | 'secp256k1' | 'secp256r1' | 'multisig' | 'zklogin' | 'passkey';

/** 16 KiB in base64: a multisig of ten zkLogin members with their proofs stays below. */
const signatureLengthMax = 22_000;

const schemes: Readonly<Record<string, SignatureScheme>> = {
  ED25519: 'ed25519',
  Secp256k1: 'secp256k1',
  Secp256r1: 'secp256r1',
  MultiSig: 'multisig',
  ZkLogin: 'zklogin',
  Passkey: 'passkey',
};

type Parsed = ReturnType<typeof parseSerializedSignature>;

const notTheirs: SignatureVerdict = { kind: 'invalid', problem: 'not-this-wallet-or-message' };
const noSignature: SignatureVerdict = { kind: 'invalid', problem: 'malformed' };

/**
 * Whether the wallet of this address signed this personal message. Only a zkLogin proof (alone or in a multisig) needs the
 * chain, whose keys and epoch it depends on: without an answer it is neither valid nor invalid. Throws Unavailable then.
 */
export async function verifyPersonalMessage(
  call: SuiCall,
  { message, signature, address }: SignedMessage,
  stop?: AbortSignal,
): Promise<SignatureVerdict> {
  // The SDK compares addresses as strings, so only the canonical form of one will do.
  const wallet = canonicalWallet(address);
  const parsed = wallet === null ? null : parseSignature(signature);
  const scheme = parsed === null ? undefined : schemes[parsed.signatureScheme];
  if (wallet === null || parsed === null || scheme === undefined) return noSignature;
  try {
    // Before anything is asked of the chain: a zkLogin wallet may have an old address as well, and the key knows both.
    if (!publicKeyOf(parsed).verifyAddress(wallet)) return notTheirs;
  } catch {
    return noSignature;
  }
  const problem = needsTheChain(parsed)
    ? await askTheChain(call, { message, parsed }, stop)
    : await checkHere({ message, signature: parsed.serializedSignature, wallet });
  return problem ?? { kind: 'valid', scheme };
}

function parseSignature(signature: string): Parsed | null {
  if (signature.length > signatureLengthMax) return null;
  try {
    return parseSerializedSignature(signature);
  } catch {
    return null;
  }
}

function publicKeyOf(parsed: Parsed) {
  return parsed.signatureScheme === 'MultiSig'
    ? new MultiSigPublicKey(parsed.multisig.multisig_pk)
    : publicKeyFromRawBytes(parsed.signatureScheme, parsed.publicKey);
}

function needsTheChain(parsed: Parsed): boolean {
  if (parsed.signatureScheme !== 'MultiSig') return parsed.signatureScheme === 'ZkLogin';
  return parsed.multisig.multisig_pk.pk_map.some(({ pubKey }) => 'ZkLogin' in pubKey);
}

async function checkHere(signed: {
  readonly message: Uint8Array;
  readonly signature: string;
  readonly wallet: string;
}): Promise<SignatureVerdict | null> {
  try {
    const { message, signature, wallet } = signed;
    return (await isValidPersonalMessageSignature(message, signature, { address: wallet })) ? null : notTheirs;
  } catch {
    // No call is made here: what throws are bytes that are no signature of their scheme.
    return noSignature;
  }
}

async function askTheChain(
  call: SuiCall,
  { message, parsed }: { readonly message: Uint8Array; readonly parsed: Parsed },
  stop?: AbortSignal,
): Promise<SignatureVerdict | null> {
  const request = {
    message: { name: 'PersonalMessage', value: bcs.byteVector().serialize(message).toBytes() },
    signature: {
      bcs: { value: fromBase64(parsed.serializedSignature) },
      signature: { oneofKind: undefined },
    },
    // The wallet was compared above; the node gets the address that the key gives, as it knows no older one.
    address: publicKeyOf(parsed).toSuiAddress(),
    jwks: [],
  };
  const isValid = await call(
    'VerifySignature',
    async (client, options) => {
      try {
        const { response } = await client.signatureVerificationService.verifySignature(request, options);
        if (response.isValid === undefined) throw malformed('A signature neither valid nor invalid');
        return response.isValid;
      } catch (error) {
        if (hasStatus(error, 'INVALID_ARGUMENT')) return null;
        throw error;
      }
    },
    stop,
  );
  if (isValid === null) return noSignature;
  return isValid ? null : notTheirs;
}
