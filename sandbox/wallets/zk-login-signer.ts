import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { fromBase64 } from '@mysten/sui/utils';
import { computeZkLoginAddressFromSeed, getZkLoginSignature, toZkLoginPublicIdentifier } from '@mysten/sui/zklogin';
import type { WalletSigner } from './signer.ts';

const issuer = 'https://accounts.google.com';
const farEpoch = 1_000_000;

/**
 * A wallet with a Google login. The short-lived key's signature is real; the proof is invented, because the sandbox has no prover:
 * the full node accepts it once the whole signature is in the world's `acceptedZkLogins`.
 */
export function zkLoginSigner(seed: Uint8Array): WalletSigner {
  const shortLived = Ed25519Keypair.fromSecretKey(seed);
  // Must be below the field's modulus, which has 254 bits.
  const addressSeed = BigInt(`0x${Buffer.from(seed).toString('hex')}`) >> 4n;
  const inputs = {
    proofPoints: {
      a: ['1', '2', '1'],
      b: [
        ['1', '2'],
        ['3', '4'],
        ['1', '0'],
      ],
      c: ['5', '6', '1'],
    },
    // 36 characters, in whole groups of four: the part of a token that starts at a multiple of three bytes.
    issBase64Details: { value: base64Url(`"iss":"${issuer}",`), indexMod4: 0 },
    headerBase64: base64Url('{"alg":"RS256","kid":"sandbox","typ":"JWT"}'),
    addressSeed: String(addressSeed),
  };
  const withProof = (signature: string): string =>
    getZkLoginSignature({ inputs, maxEpoch: farEpoch, userSignature: fromBase64(signature) });
  return {
    address: computeZkLoginAddressFromSeed(addressSeed, issuer, false),
    publicKey: toZkLoginPublicIdentifier(addressSeed, issuer, { legacyAddress: false }).toRawBytes(),
    sign: async (message) => withProof((await shortLived.signPersonalMessage(message)).signature),
    signTransaction: async (bytes) => withProof((await shortLived.signTransaction(bytes)).signature),
  };
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
