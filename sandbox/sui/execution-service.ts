import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import { executeTransaction, simulateTransaction } from '../transactions/chain.ts';
import type { TransactionData } from '../transactions/transaction-data.ts';
import { TransactionRefused } from '../transactions/transaction-refused.ts';
import { objectsOf } from '../world/places.ts';
import type { WorldContext } from '../world/state.ts';
import { epochOf } from '../world/epochs.ts';
import { isGasOpen, withEstimatedBudget, withSelectedGas } from './gas-selection.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { transactionAt } from './query-service.ts';
import { readMask } from './read-mask.ts';
import { transactionMessage } from './transaction-messages.ts';
import { transactionProto } from './transaction-proto.ts';
import { resolveTransaction } from './transaction-resolution.ts';

const { INVALID_ARGUMENT } = GrpcStatusCode;

/** Executes a signed transaction and answers once it is in a checkpoint, so clients need not wait for one. */
export async function execute(
  world: WorldContext,
  request: GrpcTypes.ExecuteTransactionRequest,
): Promise<GrpcTypes.ExecuteTransactionResponse> {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask, ['effects.status', 'checkpoint']);
  const bytes = request.transaction?.bcs?.value;
  if (!bytes) throw new GrpcRefusal(INVALID_ARGUMENT, 'transaction.bcs is missing');
  const signatures = request.signatures.map(({ bcs }) => toBase64(bcs?.value ?? new Uint8Array()));
  try {
    const { digest } = await executeTransaction(world, bytes, signatures);
    return { transaction: mask.apply(transactionAt(world, digest)) };
  } catch (error) {
    throw error instanceof TransactionRefused ? refusalToExecute(error) : error;
  }
}

/** Error texts of `TransactionSubmissionError` (sui-rpc-api, `error.rs`) and of the validators' combined answer. */
function refusalToExecute({ subject, message }: TransactionRefused): GrpcRefusal {
  if (subject === 'bytes') return new GrpcRefusal(INVALID_ARGUMENT, message);
  if (subject === 'signature') return new GrpcRefusal(INVALID_ARGUMENT, `Invalid user signature: ${message}`);
  return new GrpcRefusal(
    INVALID_ARGUMENT,
    `Transaction is rejected as invalid by more than 1/3 of validators by stake (non-retriable). Non-retriable errors: [${message} with 10000 stake].`,
  );
}

/** Simulates a transaction, filling in what the caller left open. */
export function simulate(
  world: WorldContext,
  request: GrpcTypes.SimulateTransactionRequest,
): GrpcTypes.SimulateTransactionResponse {
  const mask = readMask(GrpcTypes.SimulateTransactionResponse, request.readMask, ['*']);
  if (!request.transaction) throw new GrpcRefusal(INVALID_ARGUMENT, 'transaction is missing');
  try {
    const given = resolveTransaction(world.state, request.transaction);
    const data = isFilledIn(request) ? filledIn(world, given, request.transaction) : given;
    const { transaction } = simulateTransaction(world, data, !isFilledIn(request) && isGasOpen(world.state, data));
    const message = transactionMessage(transaction, objectsOf(world.state, transaction), {
      epoch: epochOf(transaction.timestampMs),
    });
    return mask.apply({
      // A simulation is in no checkpoint.
      transaction: { ...message, transaction: transactionProto(data), signatures: [] },
      commandOutputs: [],
    });
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    throw new GrpcRefusal(INVALID_ARGUMENT, `Error checking transaction input objects: ${error.message}`);
  }
}

/** A node selects gas only when it also checks the whole transaction. */
function isFilledIn({ doGasSelection, checks }: GrpcTypes.SimulateTransactionRequest): boolean {
  return doGasSelection === true && checks !== GrpcTypes.SimulateTransactionRequest_TransactionChecks.DISABLED;
}

function filledIn(world: WorldContext, data: TransactionData, given: GrpcTypes.Transaction): TransactionData {
  const isBudgetOpen = given.gasPayment?.budget === undefined && !given.bcs?.value;
  const budgeted = isBudgetOpen ? withEstimatedBudget(world, data) : data;
  return budgeted.gas.payment.length === 0 ? withSelectedGas(world, budgeted) : budgeted;
}
