import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { toBase64 } from '@mysten/sui/utils';
import { publicKeyFromRawBytes, verifyPersonalMessageSignature, verifyTransactionSignature } from '@mysten/sui/verify';
import type { WorldState } from '../world/state.ts';

/** What was signed: a text or the bytes of a transaction. A signature of one is never valid for the other. */
export type SignedSubject = { kind: 'PersonalMessage' | 'TransactionData'; bytes: Uint8Array };

type Parsed = ReturnType<typeof parseSerializedSignature>;

const verifiers = { PersonalMessage: verifyPersonalMessageSignature, TransactionData: verifyTransactionSignature };

/**
 * Throws when the signature is not valid for these bytes. There is no prover here: a zkLogin proof is valid when the world lists it
 * in `acceptedZkLogins`, but the short-lived key's signature is really verified.
 */
export async function verifyUserSignature(state: WorldState, encoded: string, subject: SignedSubject): Promise<void> {
  const parsed = parseSerializedSignature(encoded);
  const verify = verifiers[subject.kind];
  if (parsed.signatureScheme !== 'ZkLogin' && !holdsZkLogin(parsed)) {
    await verify(subject.bytes, encoded);
    return;
  }
  if (!state.acceptedZkLogins.has(encoded)) throw new Error('Groth16 proof verify failed');
  if (parsed.signatureScheme === 'ZkLogin') {
    await verify(subject.bytes, toBase64(Uint8Array.from(parsed.zkLogin.userSignature)));
  }
}

/** The address a signature claims to be from. Throws for anything that is not a signature. */
export function signerAddress(encoded: string): string {
  return publicKeyOf(encoded).toSuiAddress();
}

export function isSignerOf(encoded: string, address: string): boolean {
  return publicKeyOf(encoded).verifyAddress(address);
}

function publicKeyOf(encoded: string) {
  const parsed = parseSerializedSignature(encoded);
  return parsed.signatureScheme === 'MultiSig'
    ? new MultiSigPublicKey(parsed.multisig.multisig_pk)
    : publicKeyFromRawBytes(parsed.signatureScheme, parsed.publicKey);
}

function holdsZkLogin(parsed: Parsed): boolean {
  return parsed.signatureScheme === 'MultiSig' && parsed.multisig.sigs.some((signature) => 'ZkLogin' in signature);
}
