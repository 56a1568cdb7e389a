import { toBase64 } from '@mysten/sui/utils';
import { chainIdOf, epochOf } from '../world/epochs.ts';
import type { ChainTransaction, WorldContext } from '../world/state.ts';
import { commitTransaction } from './commit-transaction.ts';
import type { Execution } from './run-transaction.ts';
import { runTransaction } from './run-transaction.ts';
import { checkExpiration, checkGasData, checkLimits } from './transaction-checks.ts';
import type { ChainTime } from './transaction-checks.ts';
import type { TransactionData } from './transaction-data.ts';
import { decodeTransaction, digestOfBytes, encodeTransaction } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';
import { signerAddress, verifyUserSignature } from './user-signatures.ts';

export function chainTimeOf({ state, now }: WorldContext): ChainTime {
  const { referenceGasPriceMist } = state;
  return { epoch: epochOf(now().getTime()), chainId: chainIdOf(state), referenceGasPriceMist };
}

/** Size of the envelope: two counts, an intent of three bytes, and each signature with its length (`SenderSignedData`). */
function envelopeBytes(signatures: readonly string[]): number {
  return signatures.reduce((sum, signature) => sum + 2 + Buffer.from(signature, 'base64').length, 5);
}

/**
 * Executes a signed transaction. Throws TransactionRefused when validators would reject it; a transaction that fails while
 * running still counts as executed. The same bytes are executed only once.
 */
export async function executeTransaction(
  world: WorldContext,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<ChainTransaction> {
  const data = decodeTransaction(bytes);
  await checkSignatures(world, data, bytes, signatures);
  const digest = digestOfBytes(bytes);
  const earlier = world.state.transactions.findLast((each) => each.digest === digest);
  if (earlier) return earlier;
  const now = chainTimeOf(world);
  checkExpiration(data, now);
  checkLimits(data, bytes.length + envelopeBytes(signatures));
  checkGasData(data, now);
  const execution = runTransaction(world, data, { digest, chainId: now.chainId, mockGas: false });
  return commitTransaction(world, execution, { bytes: toBase64(bytes), signatures: [...signatures] });
}

/** Runs a transaction without committing it. `mockGas`: the gas payment is still open, so a coin is mocked. */
export function simulateTransaction(world: WorldContext, data: TransactionData, mockGas: boolean): Execution {
  const bytes = encodeTransaction(data);
  const now = chainTimeOf(world);
  if (!mockGas) checkExpiration(data, now);
  checkLimits(data, bytes.length);
  checkGasData(data, now);
  return runTransaction(world, data, { digest: digestOfBytes(bytes), chainId: now.chainId, mockGas });
}

/** The sender and the gas owner must sign. Error texts of `SuiErrorKind` in sui-types, `error.rs`. */
async function checkSignatures(
  world: WorldContext,
  data: TransactionData,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<void> {
  const required = new Set([data.sender, data.gas.owner]);
  if (signatures.length !== required.size) {
    throw refusedSignature(`Expect ${required.size} signer signatures but got ${signatures.length}`);
  }
  const signers = signatures.map(signerOf);
  for (const expected of required) {
    if (signers.includes(expected)) continue;
    throw refusedSignature(`Required Signature from ${expected} is absent ${JSON.stringify(signers)}`);
  }
  for (const signature of signatures) {
    try {
      await verifyUserSignature(world.state, signature, { kind: 'TransactionData', bytes });
    } catch (error) {
      throw refusedSignature(`Signature is not valid: ${(error as Error).message}`);
    }
  }
}

function signerOf(signature: string): string {
  try {
    return signerAddress(signature);
  } catch (error) {
    throw refusedSignature(`Signature is not valid: ${(error as Error).message}`);
  }
}

function refusedSignature(why: string): TransactionRefused {
  return new TransactionRefused(why, 'signature');
}
