import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { checkpointAt } from '../world/ledger.ts';
import type { ChainEvent, ChainTransaction, WorldContext } from '../world/state.ts';
import { valueOf } from './json-value.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { passes } from './ledger-filters.ts';
import { timestampOf } from './ledger-service.ts';
import { readMask } from './read-mask.ts';

const defaultLimit = 50;
const maxLimit = 1000;
const eventsPerTransaction = 1000;

/** A thing at its place in ledger order. */
type Placed<T> = { position: number; checkpoint: number; item: T };
type Range = { startCheckpoint?: bigint; endCheckpoint?: bigint; options?: GrpcTypes.QueryOptions };
type Frame<T> = { item: T | null; watermark: GrpcTypes.Watermark; end?: GrpcTypes.QueryEnd };

function cursorOf(position: number): Uint8Array {
  return new TextEncoder().encode(String(position));
}

function positionOf(cursor: Uint8Array | undefined): number | null {
  if (!cursor || cursor.length === 0) return null;
  const text = new TextDecoder().decode(cursor);
  if (!/^\d{1,15}$/.test(text)) throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'invalid cursor');
  return Number(text);
}

/**
 * Items between two exclusive cursors and in a range of checkpoints, each with its watermark. The last frame says why it
 * ended; it carries an item only when the limit was reached.
 */
function framesOf<T>(world: WorldContext, all: readonly Placed<T>[], range: Range): Frame<T>[] {
  const { options, startCheckpoint, endCheckpoint } = range;
  const after = positionOf(options?.after);
  const before = positionOf(options?.before);
  const within = all.filter(
    ({ position, checkpoint }) =>
      (after === null || position > after) &&
      (before === null || position < before) &&
      (startCheckpoint === undefined || checkpoint >= startCheckpoint) &&
      (endCheckpoint === undefined || checkpoint < endCheckpoint),
  );
  const descending = options?.ordering === GrpcTypes.Ordering.DESCENDING;
  const ordered = descending ? within.toReversed() : within;
  const limit = Math.min(options?.limit || defaultLimit, maxLimit);
  const frames = ordered.slice(0, limit).map((placed): Frame<T> => ({
    item: placed.item,
    watermark: { cursor: cursorOf(placed.position), checkpoint: BigInt(placed.checkpoint) },
  }));
  const last = frames.at(-1);
  if (last && ordered.length >= limit) {
    last.end = { reason: GrpcTypes.QueryEndReason.ITEM_LIMIT };
    return frames;
  }
  const newest = BigInt(checkpointAt(world.state, world.now().getTime()));
  const cursor = last?.watermark.cursor ?? options?.after ?? cursorOf(0);
  return [
    ...frames,
    {
      item: null,
      watermark: { cursor, checkpoint: newest },
      end: { reason: GrpcTypes.QueryEndReason.LEDGER_TIP },
    },
  ];
}

function eventMessage(transaction: ChainTransaction, event: ChainEvent, index: number): GrpcTypes.Event {
  return {
    packageId: event.packageId,
    module: event.module,
    sender: transaction.sender,
    eventType: event.eventType,
    // The sandbox knows the fields of an event, not the layout of its struct: only `json` says something.
    contents: { name: event.eventType, value: new Uint8Array() },
    json: valueOf(event.json),
    checkpoint: BigInt(transaction.checkpoint),
    transactionDigest: transaction.digest,
    eventIndex: index,
  };
}

/** Streams events that pass a filter by sender, emitting module or type. */
export function listEvents(world: WorldContext, request: GrpcTypes.ListEventsRequest): GrpcTypes.ListEventsResponse[] {
  const mask = readMask(GrpcTypes.Event, request.readMask, ['event_type']);
  const all = world.state.transactions.flatMap((transaction, at) =>
    transaction.events.flatMap((event, index) =>
      passes(request.filter, { transaction, events: [event] })
        ? [
            {
              position: (at + 1) * eventsPerTransaction + index,
              checkpoint: transaction.checkpoint,
              item: eventMessage(transaction, event, index),
            },
          ]
        : [],
    ),
  );
  return framesOf(world, all, request).map(({ item, ...frame }) => ({
    ...frame,
    ...(item && { event: mask.apply(item) }),
  }));
}

function transactionMessage(transaction: ChainTransaction): GrpcTypes.ExecutedTransaction {
  return GrpcTypes.ExecutedTransaction.create({
    digest: transaction.digest,
    transaction: { digest: transaction.digest, sender: transaction.sender },
    effects: { status: { success: true }, transactionDigest: transaction.digest },
    events: { events: transaction.events.map((event, index) => eventMessage(transaction, event, index)) },
    checkpoint: BigInt(transaction.checkpoint),
    timestamp: timestampOf(transaction.timestampMs),
  });
}

export function getTransaction(
  world: WorldContext,
  request: GrpcTypes.GetTransactionRequest,
): GrpcTypes.GetTransactionResponse {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask, ['digest']);
  const found = world.state.transactions.find((each) => each.digest === request.digest);
  if (!found) {
    throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Transaction ${request.digest ?? ''} not found`);
  }
  return { transaction: mask.apply(transactionMessage(found)) };
}

/** Streams transactions that pass a filter by sender, or by the module or type of an event. */
export function listTransactions(
  world: WorldContext,
  request: GrpcTypes.ListTransactionsRequest,
): GrpcTypes.ListTransactionsResponse[] {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask, ['digest']);
  const all = world.state.transactions.flatMap((transaction, at) =>
    passes(request.filter, { transaction, events: transaction.events })
      ? [{ position: at + 1, checkpoint: transaction.checkpoint, item: transaction }]
      : [],
  );
  return framesOf(world, all, request).map(({ item, ...frame }) => ({
    ...frame,
    ...(item && { transaction: mask.apply(transactionMessage(item)) }),
  }));
}
