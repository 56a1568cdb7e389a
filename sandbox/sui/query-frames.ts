import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { newestCheckpoint } from '../world/ledger.ts';
import type { ChainTransaction, WorldContext } from '../world/state.ts';
import type { Filter } from './ledger-filters.ts';
import { checkLiterals, placesOf } from './ledger-filters.ts';
import type { Span } from './ledger-index.ts';
import { everyPlace, firstPlace, inOrder } from './ledger-index.ts';
import { GrpcRefusal } from './grpc-web.ts';

const defaultLimit = 50;
const maxLimit = 1000;

export type Query = {
  filter?: Filter;
  startCheckpoint?: bigint;
  endCheckpoint?: bigint;
  options?: GrpcTypes.QueryOptions;
  /** The first checkpoint that is kept: lists start here, older ones are gone. */
  firstKept: number;
};
export type Frame<T> = { item: T | null; watermark: GrpcTypes.Watermark; end?: GrpcTypes.QueryEnd };

/** The matching items of one transaction, each with its number within it (below `unit`). */
type ItemsOf<T> = (transaction: ChainTransaction, at: number) => { number: number; item: T }[];

function cursorOf(position: number): Uint8Array {
  return new TextEncoder().encode(String(position));
}

function positionOf(cursor: Uint8Array | undefined): number | null {
  if (!cursor || cursor.length === 0) return null;
  const text = new TextDecoder().decode(cursor);
  if (!/^\d{1,15}$/.test(text)) throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'invalid cursor');
  return Number(text);
}

type Bounds = Span & { after: number | null; before: number | null; newest: number };

function boundsOf(world: WorldContext, query: Query, unit: number): Bounds {
  const { transactions } = world.state;
  const newest = newestCheckpoint(world);
  const after = positionOf(query.options?.after);
  const before = positionOf(query.options?.before);
  const start = Math.max(query.firstKept, Number(query.startCheckpoint ?? 0n));
  const end = Number(query.endCheckpoint ?? BigInt(newest) + 1n);
  const placeOf = (checkpoint: number): number =>
    firstPlace(transactions.length, (at) => (transactions[at]?.checkpoint ?? 0) >= checkpoint);
  return {
    after,
    before,
    newest,
    from: Math.max(placeOf(start), after === null ? 0 : Math.floor(after / unit) - 1),
    to: Math.min(placeOf(end), before === null ? transactions.length : Math.floor(before / unit)),
    descending: query.options?.ordering === GrpcTypes.Ordering.DESCENDING,
  };
}

/**
 * Items in ledger order between two exclusive cursors and within a range of checkpoints, each with its watermark. The last frame
 * says why the list ended, and carries an item only when the limit was reached. `unit`: more than any transaction's item count.
 */
export function framesOf<T>(world: WorldContext, query: Query, unit: number, itemsOf: ItemsOf<T>): Frame<T>[] {
  checkLiterals(query.filter);
  const { transactions } = world.state;
  const bounds = boundsOf(world, query, unit);
  const { after, before, descending } = bounds;
  const limit = Math.min(query.options?.limit || defaultLimit, maxLimit);
  const lists = placesOf(world.state, query.filter);
  const frames: Frame<T>[] = [];
  for (const at of lists ? inOrder(lists, bounds) : everyPlace(bounds)) {
    const transaction = transactions[at];
    if (!transaction) continue;
    const items = itemsOf(transaction, at);
    for (const { number, item } of descending ? items.toReversed() : items) {
      const position = (at + 1) * unit + number;
      if ((after !== null && position <= after) || (before !== null && position >= before)) continue;
      frames.push({ item, watermark: watermarkOf(transactions, { at, descending, isOnly: unit === 1 }, position) });
      if (frames.length < limit) continue;
      return [...frames.slice(0, -1), { ...lastOf(frames), end: { reason: GrpcTypes.QueryEndReason.ITEM_LIMIT } }];
    }
  }
  return [...frames, endOf(bounds, query, unit)];
}

function lastOf<T>(frames: Frame<T>[]): Frame<T> {
  const last = frames.at(-1);
  if (!last) throw new Error('The limit was reached without an item');
  return last;
}

/** A checkpoint is covered at its last transaction; until then, the previous checkpoint is. */
function watermarkOf(
  transactions: readonly ChainTransaction[],
  { at, descending, isOnly }: { at: number; descending: boolean; isOnly: boolean },
  position: number,
): GrpcTypes.Watermark {
  const own = transactions[at]?.checkpoint ?? 0;
  const next = transactions[descending ? at - 1 : at + 1]?.checkpoint;
  const isCovered = isOnly && next !== own;
  return { cursor: cursorOf(position), checkpoint: BigInt(isCovered ? own : own + (descending ? 1 : -1)) };
}

/** The final frame when nothing is left: ended at the checkpoint bound, a cursor or the newest checkpoint. */
function endOf(bounds: Bounds, query: Query, unit: number): Frame<never> {
  const { descending, newest } = bounds;
  const { CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP } = GrpcTypes.QueryEndReason;
  const position = descending ? (bounds.from + 1) * unit : bounds.to * unit + unit - 1;
  const cursor = cursorOf(
    descending ? Math.min(position, bounds.before ?? position) : Math.max(position, bounds.after ?? 0),
  );
  if ((descending ? bounds.after : bounds.before) !== null) {
    return { item: null, watermark: { cursor }, end: { reason: CURSOR_BOUND } };
  }
  const first = Math.max(query.firstKept, Number(query.startCheckpoint ?? 0n));
  const isBounded = query.endCheckpoint !== undefined && query.endCheckpoint <= BigInt(newest);
  const last = isBounded ? Number(query.endCheckpoint) - 1 : newest;
  return {
    item: null,
    watermark: { cursor, checkpoint: BigInt(descending ? first : Math.max(0, last)) },
    end: { reason: descending || isBounded ? CHECKPOINT_BOUND : LEDGER_TIP },
  };
}
