import { GrpcTypes } from '@mysten/sui/grpc';
import { fromBase64 } from '@mysten/sui/utils';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { canonicalAddress } from '../../shared/sui-address.ts';
import type { Simulated } from './chain-transaction.ts';
import { malformed, orElse, orNull, type SuiCall } from './sui-call.ts';
import { parseBalanceChange, parseChangedObject, timeOf } from './transactions.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { ObjectVersion } from './coins.ts';

/** The payments of a transaction, and the coins they are paid from. Amounts are base units; addresses are canonical. */
export interface PaymentTerms {
  /** Pays both the amounts and the gas. */
  readonly sender: string;
  /** The first one keeps the rest; the others are used up. */
  readonly gasCoins: readonly ObjectVersion[];
  readonly gasPriceMist: bigint;
  readonly budgetMist: bigint;
  /** Coin objects of another coin than SUI, used in the same way. Empty: SUI is paid from the gas coins. */
  readonly coins: readonly ObjectVersion[];
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
  /** The last epoch in which it can be executed. */
  readonly expiresEpoch: bigint;
}

/** The most amounts of one split: a command has fewer than 512 arguments (`max_arguments`, protocol configuration). */
const amountsPerSplit = 511;

/** The bytes to sign, and the digest that the chain will know them by. The same terms always give the same bytes. */
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

/** `refused`: the transaction could not even begin (an outdated object version, too little gas, too large). */
type Simulation = Simulated | NotTaken;

interface NotTaken {
  readonly kind: 'refused';
  /** The node's own words. */
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

/** Simulates the bytes at the node, with all checks and without filling in any gas. */
export async function simulateTransaction(call: SuiCall, bytes: Uint8Array, stop?: AbortSignal): Promise<Simulation> {
  const request: GrpcTypes.SimulateTransactionRequest = {
    transaction: { bcs: { value: bytes } },
    readMask: { paths: simulatedPaths },
    checks: GrpcTypes.SimulateTransactionRequest_TransactionChecks.ENABLED,
    doGasSelection: false,
  };
  const answer = await call(
    'SimulateTransaction',
    ({ transactionExecutionService: service }, options) =>
      orElse(service.simulateTransaction(request, options), notTaken),
    stop,
  );
  return 'kind' in answer ? answer : parseSimulated(answer.transaction);
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

/** INVALID_ARGUMENT is the code of everything that no validator will ever accept (sui-rpc-api, `TransactionSubmissionError`). */
const notTaken = ({ code, message }: { readonly code: string; readonly message: string }): NotTaken | undefined =>
  code === 'INVALID_ARGUMENT' ? { kind: 'refused', words: message.slice(0, wordsMax) } : undefined;

/**
 * Sends signed bytes to the node. Throws Unavailable if it is not known whether they were executed: a later read by digest will
 * tell. Sending the same bytes twice makes one transaction on the chain.
 */
export async function executeTransaction(
  call: SuiCall,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<NotTaken | { readonly kind: 'taken' }> {
  const request: GrpcTypes.ExecuteTransactionRequest = {
    transaction: { bcs: { value: bytes } },
    signatures: signatures.map((signature) => ({
      bcs: { value: fromBase64(signature) },
      signature: { oneofKind: undefined },
    })),
    readMask: { paths: ['effects.status'] },
  };
  const answer = await call('ExecuteTransaction', ({ transactionExecutionService: service }, options) =>
    orElse(service.executeTransaction(request, options), notTaken),
  );
  return 'kind' in answer ? answer : { kind: 'taken' };
}

/** Whether, where and when a transaction was executed. */
export interface TransactionPlace {
  readonly sender: string;
  /** False: it failed, cost its gas and moved nothing. */
  readonly isSuccess: boolean;
  /** null: it is not in a checkpoint yet. */
  readonly checkpoint: bigint | null;
  readonly at: Date | null;
}

/** null: the node does not know the transaction (yet or any more). */
export async function readTransaction(
  call: SuiCall,
  digest: string,
  stop?: AbortSignal,
): Promise<TransactionPlace | null> {
  const readMask = { paths: ['digest', 'transaction.sender', 'effects.status', 'checkpoint', 'timestamp'] };
  const answer = await call(
    'GetTransaction',
    // For a text that is not a digest, the node answers INVALID_ARGUMENT.
    ({ ledgerService }, options) =>
      orNull(['NOT_FOUND', 'INVALID_ARGUMENT'], ledgerService.getTransaction({ digest, readMask }, options)),
    stop,
  );
  const found = answer?.transaction;
  if (found === undefined) return null;
  const sender = canonicalAddress(found.transaction?.sender ?? '');
  const isSuccess = found.effects?.status?.success;
  if (found.digest !== digest || sender === null || isSuccess === undefined)
    throw malformed('A transaction without its sender or status, or a different one than requested');
  const { checkpoint = null, timestamp } = found;
  return { sender, isSuccess, checkpoint, at: timestamp === undefined ? null : timeOf(timestamp) };
}
