import { bcs } from '@mysten/sui/bcs';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { fromBase64 } from '@mysten/sui/utils';
import {
  isValidPersonalMessageSignature,
  isValidTransactionSignature,
  publicKeyFromRawBytes,
} from '@mysten/sui/verify';
import { canonicalWallet } from '../../shared/sui-address.ts';
import { malformed, orNull, type SuiCall } from './sui-call.ts';

interface Signed {
  /** From the wallet, untrusted: base64 of the scheme's flag, signature and public key. */
  readonly signature: string;
  /** All 64 digits, in any case. */
  readonly address: string;
}

export interface SignedMessage extends Signed {
  /** The bytes of the text; intent and length are added here. */
  readonly message: Uint8Array;
}

export interface SignedTransaction extends Signed {
  /** BCS of the transaction data; the intent is added here. */
  readonly transaction: Uint8Array;
}

export type SignatureVerdict =
  /** `scheme`: the chain's name of it in lower case, such as ed25519 or zklogin. */
  | { readonly kind: 'valid'; readonly scheme: string }
  | { readonly kind: 'invalid'; readonly problem: 'malformed' | 'not-this-wallet-or-message' };

/** 16 KiB in base64: enough for a multisig of ten zkLogin members with their proofs. */
export const signatureLengthMax = 22_000;

type Parsed = ReturnType<typeof parseSerializedSignature>;

const notTheirs: SignatureVerdict = { kind: 'invalid', problem: 'not-this-wallet-or-message' };
const noSignature: SignatureVerdict = { kind: 'invalid', problem: 'malformed' };

/** What was signed, in the forms for the SDK and for a node. A message is never taken for a transaction, or the reverse. */
interface Subject {
  readonly bytes: Uint8Array;
  readonly isValidHere: typeof isValidTransactionSignature;
  readonly forNode: { readonly name: string; readonly value: Uint8Array };
}

/** Whether the wallet of this address signed this personal message. Throws Unavailable (see `verify`). */
export const verifyPersonalMessage = (
  call: SuiCall,
  { message, ...signed }: SignedMessage,
  stop?: AbortSignal,
): Promise<SignatureVerdict> => {
  const value = bcs.byteVector().serialize(message).toBytes();
  const forNode = { name: 'PersonalMessage', value };
  return verify(call, { bytes: message, isValidHere: isValidPersonalMessageSignature, forNode }, signed, stop);
};

/** Whether the wallet of this address signed this transaction. Throws Unavailable (see `verify`). */
export const verifyTransaction = (
  call: SuiCall,
  { transaction, ...signed }: SignedTransaction,
  stop?: AbortSignal,
): Promise<SignatureVerdict> => {
  const forNode = { name: 'TransactionData', value: transaction };
  return verify(call, { bytes: transaction, isValidHere: isValidTransactionSignature, forNode }, signed, stop);
};

/**
 * Only a zkLogin proof (alone or in a multisig) needs the chain, because it depends on the chain's keys and epoch. Without an
 * answer it is neither valid nor invalid: then this throws Unavailable.
 */
async function verify(
  call: SuiCall,
  subject: Subject,
  { signature, address }: Signed,
  stop: AbortSignal | undefined,
): Promise<SignatureVerdict> {
  // The SDK compares addresses as strings, so the canonical form is needed.
  const wallet = canonicalWallet(address);
  const parsed = wallet === null ? null : parseSignature(signature);
  if (wallet === null || parsed === null) return noSignature;
  try {
    // Checked before any call to the chain. A zkLogin wallet may also have a legacy address; the key knows both.
    if (!publicKeyOf(parsed).verifyAddress(wallet)) return notTheirs;
  } catch {
    return noSignature;
  }
  const problem = needsChain(parsed)
    ? await verifyOnChain(call, subject, parsed, stop)
    : await verifyHere(subject, parsed.serializedSignature, wallet);
  return problem ?? { kind: 'valid', scheme: parsed.signatureScheme.toLowerCase() };
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

function needsChain(parsed: Parsed): boolean {
  if (parsed.signatureScheme !== 'MultiSig') return parsed.signatureScheme === 'ZkLogin';
  return parsed.multisig.multisig_pk.pk_map.some(({ pubKey }) => 'ZkLogin' in pubKey);
}

async function verifyHere(
  { bytes, isValidHere }: Subject,
  signature: string,
  wallet: string,
): Promise<SignatureVerdict | null> {
  try {
    return (await isValidHere(bytes, signature, { address: wallet })) ? null : notTheirs;
  } catch {
    // This makes no call, so it throws only for bytes that are not a signature of their scheme.
    return noSignature;
  }
}

async function verifyOnChain(
  call: SuiCall,
  { forNode }: Subject,
  parsed: Parsed,
  stop: AbortSignal | undefined,
): Promise<SignatureVerdict | null> {
  const request = {
    message: forNode,
    signature: {
      bcs: { value: fromBase64(parsed.serializedSignature) },
      signature: { oneofKind: undefined },
    },
    // The wallet was compared above. The node does not know legacy addresses, so it gets the address derived from the key.
    address: publicKeyOf(parsed).toSuiAddress(),
    jwks: [],
  };
  const answer = await call(
    'VerifySignature',
    ({ signatureVerificationService }, options) =>
      orNull(['INVALID_ARGUMENT'], signatureVerificationService.verifySignature(request, options)),
    stop,
  );
  if (answer === null) return noSignature;
  if (answer.isValid === undefined) throw malformed('A signature neither valid nor invalid');
  return answer.isValid ? null : notTheirs;
}
