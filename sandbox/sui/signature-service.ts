import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { toBase64 } from '@mysten/sui/utils';
import { publicKeyFromRawBytes, verifyPersonalMessageSignature } from '@mysten/sui/verify';
import type { WorldContext } from '../world/state.ts';
import { GrpcRefusal } from './grpc-web.ts';

/** Checks personal messages. There is no prover here: a zkLogin proof is valid when the world was told so. */
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
  const plain = Uint8Array.from(bcs.vector(bcs.u8()).parse(message));
  const { address } = request;
  const encoded = toBase64(signature);
  try {
    const parsed = parseSerializedSignature(encoded);
    if (parsed.signatureScheme === 'ZkLogin' || holdsZkLogin(parsed)) {
      return await verifyWithZkLogin(world, { parsed, plain, encoded, address });
    }
    await verifyPersonalMessageSignature(plain, encoded, address === undefined ? {} : { address });
    return { isValid: true };
  } catch {
    return invalid('signature is not valid');
  }
}
type Parsed = ReturnType<typeof parseSerializedSignature>;
type Signed = { parsed: Parsed; plain: Uint8Array; encoded: string; address: string | undefined };

function holdsZkLogin(parsed: Parsed): boolean {
  return parsed.signatureScheme === 'MultiSig' && parsed.multisig.sigs.some((signature) => 'ZkLogin' in signature);
}

/** The short-lived key's signature and the address are checked for real; the proof stands for what the world was told. */
async function verifyWithZkLogin(
  world: WorldContext,
  { parsed, plain, encoded, address }: Signed,
): Promise<GrpcTypes.VerifySignatureResponse> {
  if (!world.state.acceptedZkLogins.has(encoded)) return invalid('Groth16 proof verify failed');
  const publicKey =
    parsed.signatureScheme === 'MultiSig'
      ? new MultiSigPublicKey(parsed.multisig.multisig_pk)
      : publicKeyFromRawBytes(parsed.signatureScheme, parsed.publicKey);
  if (address !== undefined && !publicKey.verifyAddress(address)) return invalid('signature of another address');
  if (parsed.signatureScheme === 'ZkLogin') {
    await verifyPersonalMessageSignature(plain, toBase64(Uint8Array.from(parsed.zkLogin.userSignature)));
  }
  return { isValid: true };
}

function invalid(reason: string): GrpcTypes.VerifySignatureResponse {
  return { isValid: false, reason };
}
