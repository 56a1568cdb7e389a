import { GrpcTypes } from '@mysten/sui/grpc';
import { fromBase64 } from '@mysten/sui/utils';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { canonicalAddress } from '../../shared/sui-address.ts';
import type { Simulated } from './chain-transaction.ts';
import { hasStatus, malformed, orNull, type SuiCall } from './sui-call.ts';
import { parseBalanceChange, parseChangedObject, timeOf } from './transactions.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { ObjectVersion } from './coins.ts';

/** Whom a transaction pays, out of what. Amounts are base units; addresses are canonical. */
export interface PaymentTerms {
  /** Who pays, and pays the gas. */
  readonly sender: string;
  /** The first stays and has what is left; the others are used up. */
  readonly gasCoins: readonly ObjectVersion[];
  readonly gasPriceMist: bigint;
  readonly budgetMist: bigint;
  /** Of another coin than SUI, used in the same way. Empty: SUI is paid out of the gas coins. */
  readonly coins: readonly ObjectVersion[];
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
  /** The last epoch in which it can be executed. */
  readonly expiresEpoch: bigint;
}

/** A split takes so many amounts: a command has fewer than 512 arguments (`max_arguments`, protocol configuration). */
const amountsPerSplit = 511;

/** The bytes to be signed, and the digest by which the chain will know them. The same terms are always the same bytes. */
export async function buildPayment({
  sender,
  gasCoins,
  gasPriceMist,
  budgetMist,
  coins,
  payments,
  expiresEpoch,
}: PaymentTerms) {
  const tx = new Transaction();
  tx.setSender(sender);
  tx.setGasOwner(sender);
  tx.setGasPrice(gasPriceMist);
  tx.setGasBudget(budgetMist);
  tx.setGasPayment(gasCoins.map(refOf));
  tx.setExpiration({ Epoch: String(expiresEpoch) });
  const [first, ...others] = coins.map((coin) => tx.objectRef(refOf(coin)));
  if (first !== undefined && others.length > 0) tx.mergeCoins(first, others);
  for (const part of chunksOf(payments, amountsPerSplit)) {
    const amounts = part.map(({ raw }) => tx.pure.u64(raw));
    const split = tx.splitCoins(first ?? tx.gas, amounts);
    for (const [index, { address }] of part.entries()) {
      const coin = split[index];
      if (coin !== undefined) tx.transferObjects([coin], address);
    }
  }
  const bytes = await tx.build();
  return { bytes, digest: TransactionDataBuilder.getDigestFromBytes(bytes) };
}

const refOf = ({ objectId, version, digest }: ObjectVersion) => ({ objectId, version: String(version), digest });

/** `refused`: it could not even begin, in the node's words: an object of another version, too little gas, too large. */
type Simulation = Simulated | NotTaken;

interface NotTaken {
  readonly kind: 'refused';
  readonly words: string;
}

const simulatedPaths = [
  'transaction.transaction.sender',
  'transaction.transaction.gas_payment',
  'transaction.effects.status',
  'transaction.effects.gas_used',
  'transaction.effects.changed_objects',
  'transaction.balance_changes',
];
const wordsMax = 300;

/** Runs bytes at the node with all checks and nothing filled in. */
export function simulateTransaction(call: SuiCall, bytes: Uint8Array, stop?: AbortSignal): Promise<Simulation> {
  return call(
    'SimulateTransaction',
    async (client, options): Promise<Simulation> => {
      const request: GrpcTypes.SimulateTransactionRequest = {
        transaction: { bcs: { value: bytes } },
        readMask: { paths: simulatedPaths },
        checks: GrpcTypes.SimulateTransactionRequest_TransactionChecks.ENABLED,
        doGasSelection: false,
      };
      try {
        const { response } = await client.transactionExecutionService.simulateTransaction(request, options);
        return parseSimulated(response.transaction);
      } catch (error) {
        return notTaken(error);
      }
    },
    stop,
  );
}

function parseSimulated(answer: GrpcTypes.ExecutedTransaction | undefined): Simulated {
  if (answer?.effects?.status?.success === undefined) throw malformed('A simulation without its effects');
  const { status, gasUsed, changedObjects } = answer.effects;
  return {
    kind: 'ran',
    failure: status?.success === true ? null : (status?.error?.description ?? 'unknown').slice(0, wordsMax),
    gas: parseGas(gasUsed),
    balanceChanges: answer.balanceChanges.map(parseBalanceChange),
    objects: changedObjects.flatMap(parseChangedObject),
    ...parseTerms(answer.transaction),
  };
}

const parseTerms = ({ sender, gasPayment }: GrpcTypes.Transaction = {}) => ({
  sender: canonicalAddress(sender ?? ''),
  gasPayer: canonicalAddress(gasPayment?.owner ?? ''),
  budgetMist: gasPayment?.budget ?? null,
});

function parseGas(used: GrpcTypes.GasCostSummary | undefined): Simulated['gas'] {
  if (used === undefined) throw malformed('A simulation without its gas');
  const { computationCost = 0n, storageCost = 0n, storageRebate = 0n } = used;
  return { computationMist: computationCost, storageMist: storageCost, rebateMist: storageRebate };
}

/** The code of everything that no validator will ever take as it is (sui-rpc-api, `TransactionSubmissionError`). */
function notTaken(error: unknown): NotTaken {
  if (!hasStatus(error, 'INVALID_ARGUMENT')) throw error;
  return { kind: 'refused', words: error.message.slice(0, wordsMax) };
}

/**
 * Hands signed bytes to the node. Throws Unavailable when it is not known whether they were executed: the digest says so later. The same
 * bytes twice are one transaction on the chain.
 */
export function executeTransaction(
  call: SuiCall,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<NotTaken | { readonly kind: 'taken' }> {
  return call('ExecuteTransaction', async (client, options) => {
    const request: GrpcTypes.ExecuteTransactionRequest = {
      transaction: { bcs: { value: bytes } },
      signatures: signatures.map((signature) => ({
        bcs: { value: fromBase64(signature) },
        signature: { oneofKind: undefined },
      })),
      readMask: { paths: ['effects.status'] },
    };
    try {
      await client.transactionExecutionService.executeTransaction(request, options);
      return { kind: 'taken' };
    } catch (error) {
      return notTaken(error);
    }
  });
}

/** Whether, where and when a transaction was executed. */
export interface TransactionPlace {
  readonly sender: string;
  /** It did what it says; false: it cost its gas and moved nothing. */
  readonly isSuccess: boolean;
  /** null: it is not in a checkpoint yet. */
  readonly checkpoint: bigint | null;
  readonly at: Date | null;
}

/** null: the node does not know it, any more or yet. */
export async function readTransaction(
  call: SuiCall,
  digest: string,
  stop?: AbortSignal,
): Promise<TransactionPlace | null> {
  const readMask = { paths: ['digest', 'transaction.sender', 'effects.status', 'checkpoint', 'timestamp'] };
  const answer = await call(
    'GetTransaction',
    // What is no digest is INVALID_ARGUMENT.
    ({ ledgerService }, options) =>
      orNull(['NOT_FOUND', 'INVALID_ARGUMENT'], ledgerService.getTransaction({ digest, readMask }, options)),
    stop,
  );
  const found = answer?.transaction;
  if (found === undefined) return null;
  const sender = canonicalAddress(found.transaction?.sender ?? '');
  const isSuccess = found.effects?.status?.success;
  if (found.digest !== digest || sender === null || isSuccess === undefined)
    throw malformed('A transaction without its sender or status, or another one than asked for');
  const { checkpoint = null, timestamp } = found;
  return { sender, isSuccess, checkpoint, at: timestamp === undefined ? null : timeOf(timestamp) };
}
