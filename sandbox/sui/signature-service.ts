import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import type { WorldContext } from '../world/state.ts';
import { GrpcRefusal } from './grpc-web.ts';

const zkLoginFlag = 5;

/** Checks personal messages. There is no prover here: a zkLogin signature is valid when the world was told so. */
export async function verifySignature(
  world: WorldContext,
  request: GrpcTypes.VerifySignatureRequest,
): Promise<GrpcTypes.VerifySignatureResponse> {
  const signature = request.signature?.bcs?.value;
  const message = request.message?.value;
  if (!signature || !message) throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'missing message or signature');
  if (request.message?.name !== 'PersonalMessage') {
    throw new GrpcRefusal(GrpcStatusCode.UNIMPLEMENTED, 'the sandbox verifies personal messages only');
  }
  const encoded = toBase64(signature);
  if (signature[0] === zkLoginFlag) {
    return world.state.acceptedZkLogins.has(encoded) ? { isValid: true } : invalid('Groth16 proof verify failed');
  }
  try {
    const plain = Uint8Array.from(bcs.vector(bcs.u8()).parse(message));
    const { address } = request;
    await verifyPersonalMessageSignature(plain, encoded, address === undefined ? {} : { address });
    return { isValid: true };
  } catch {
    return invalid('signature is not valid');
  }
}

function invalid(reason: string): GrpcTypes.VerifySignatureResponse {
  return { isValid: false, reason };
}
