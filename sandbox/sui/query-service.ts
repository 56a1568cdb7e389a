import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { epochOf } from '../world/epochs.ts';
import { objectsOf } from '../world/places.ts';
import type { WorldContext } from '../world/state.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { passes } from './ledger-filters.ts';
import { firstPlace, ledgerIndexOf } from './ledger-index.ts';
import { timestampOf } from './ledger-service.ts';
import { framesOf } from './query-frames.ts';
import { readMask } from './read-mask.ts';
import { eventMessage, transactionMessage } from './transaction-messages.ts';

const eventsPerTransaction = 1000;

/** Streams events that pass a filter by sender, emitting module or type. */
export function listEvents(
  world: WorldContext,
  firstKept: number,
  request: GrpcTypes.ListEventsRequest,
): GrpcTypes.ListEventsResponse[] {
  const mask = readMask(GrpcTypes.Event, request.readMask, ['event_type']);
  const frames = framesOf(world, { ...request, firstKept }, eventsPerTransaction, (transaction, at) =>
    transaction.events.flatMap((event, number) =>
      passes(request.filter, { state: world.state, at, events: [event] })
        ? [{ number, item: eventMessage(transaction, event, number) }]
        : [],
    ),
  );
  return frames.map(({ item, ...frame }) => ({ ...frame, ...(item && { event: mask.apply(item) }) }));
}

/** An executed transaction as all calls return it. */
export function transactionAt(world: WorldContext, digest: string): GrpcTypes.ExecutedTransaction {
  const at = ledgerIndexOf(world.state).byDigest.get(digest);
  if (at === undefined) throw new Error(`No transaction ${digest}`);
  return messageAt(world, at);
}

function messageAt({ state }: WorldContext, at: number): GrpcTypes.ExecutedTransaction {
  const { transactions } = state;
  const transaction = transactions[at];
  if (!transaction) throw new Error(`No transaction at ${at}`);
  const { checkpoint } = transaction;
  const first = firstPlace(at, (place) => (transactions[place]?.checkpoint ?? 0) >= checkpoint);
  const message = transactionMessage(transaction, objectsOf(state, transaction), {
    epoch: epochOf(transaction.timestampMs),
  });
  return {
    ...message,
    checkpoint: BigInt(checkpoint),
    timestamp: timestampOf(transaction.timestampMs),
    transactionIndex: BigInt(at - first),
  };
}

export function getTransaction(
  world: WorldContext,
  firstKept: number,
  request: GrpcTypes.GetTransactionRequest,
): GrpcTypes.GetTransactionResponse {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask, ['digest']);
  const at = ledgerIndexOf(world.state).byDigest.get(request.digest ?? '');
  if (at === undefined || (world.state.transactions[at]?.checkpoint ?? 0) < firstKept) {
    throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Transaction ${request.digest ?? ''} not found`);
  }
  return { transaction: mask.apply(messageAt(world, at)) };
}

/** Streams transactions that pass a filter by sender, affected address or object, or the module or type of an event. */
export function listTransactions(
  world: WorldContext,
  firstKept: number,
  request: GrpcTypes.ListTransactionsRequest,
): GrpcTypes.ListTransactionsResponse[] {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask, ['digest']);
  const frames = framesOf(world, { ...request, firstKept }, 1, (transaction, at) =>
    passes(request.filter, { state: world.state, at, events: transaction.events }) ? [{ number: 0, item: at }] : [],
  );
  return frames.map(({ item, ...frame }) => ({
    ...frame,
    ...(item !== null && { transaction: mask.apply(messageAt(world, item)) }),
  }));
}
