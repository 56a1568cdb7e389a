import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import type { SignedSubject } from '../transactions/user-signatures.ts';
import { isSignerOf, verifyUserSignature } from '../transactions/user-signatures.ts';
import type { WorldContext } from '../world/state.ts';
import { GrpcRefusal } from './grpc-web.ts';

/** Verifies the signature of a personal message or transaction, and its signer if the request names one. */
export async function verifySignature(
  world: WorldContext,
  request: GrpcTypes.VerifySignatureRequest,
): Promise<GrpcTypes.VerifySignatureResponse> {
  const signature = request.signature?.bcs?.value;
  const { message, address } = request;
  if (!signature || !message?.value) {
    throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'missing message or signature');
  }
  const subject = subjectOf(message.name, message.value);
  const encoded = toBase64(signature);
  try {
    await verifyUserSignature(world.state, encoded, subject);
    if (address !== undefined && !isSignerOf(encoded, address)) return invalid('signature of another address');
    return { isValid: true };
  } catch (error) {
    return invalid((error as Error).message);
  }
}

/** A personal message arrives as the BCS of its bytes, a transaction as its own BCS. */
function subjectOf(name: string | undefined, value: Uint8Array): SignedSubject {
  if (name === 'TransactionData') return { kind: name, bytes: value };
  if (name === 'PersonalMessage') return { kind: name, bytes: Uint8Array.from(bcs.vector(bcs.u8()).parse(value)) };
  throw new GrpcRefusal(GrpcStatusCode.UNIMPLEMENTED, 'the sandbox verifies personal messages and transactions only');
}

function invalid(reason: string): GrpcTypes.VerifySignatureResponse {
  return { isValid: false, reason };
}
