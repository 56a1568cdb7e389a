import { digestFrom, uuidFrom } from './derived-ids.ts';
import type { ActionRow, ChainEvent, ChainTransaction, WorldContext, WorldState } from './state.ts';
import { markedLabel, nextSequence } from './state.ts';
import { suiPriceUsd } from './tokens.ts';

const checkpointAtStart = 180_000_000;
/** Mainnet makes about four checkpoints a second. */
const checkpointEveryMs = 250;

/** The checkpoint that is the newest at a time (milliseconds since 1970). */
export function checkpointAt(state: WorldState, atMs: number): number {
  return checkpointAtStart + Math.floor((atMs - state.startedAtMs) / checkpointEveryMs);
}

/** One executed transaction; events are added by the caller. */
export function execute(world: WorldContext, sender: string, events: ChainEvent[] = []): ChainTransaction {
  const { state } = world;
  const timestampMs = world.now().getTime();
  const transaction: ChainTransaction = {
    digest: digestFrom(markedLabel(state, `transaction/${nextSequence(state)}`)),
    sender,
    timestampMs,
    checkpoint: checkpointAt(state, timestampMs),
    events,
  };
  state.transactions.push(transaction);
  return transaction;
}

export type RecordAction = Pick<ActionRow, 'type' | 'collectionKey' | 'nftId' | 'priceMist' | 'sender' | 'receiver'> &
  Partial<Pick<ActionRow, 'marketName' | 'nonce'>>;

/** One row of the marketplace's activity. */
export function recordAction(world: WorldContext, transaction: ChainTransaction, wanted: RecordAction): ActionRow {
  const { state } = world;
  const sequence = nextSequence(state);
  const suiUsd = suiPriceUsd(state);
  const action: ActionRow = {
    marketName: 'tradeport',
    nonce: null,
    priceCoin: null,
    ...wanted,
    id: uuidFrom(markedLabel(state, `action/${sequence}`)),
    usdPrice: usdOf(wanted.priceMist, suiUsd),
    txId: transaction.digest,
    txIndex: sequence,
    blockTimeMs: transaction.timestampMs,
  };
  state.actions.push(action);
  return action;
}

function usdOf(priceMist: bigint | null, suiUsd: number | null): number | null {
  if (priceMist === null || suiUsd === null) return null;
  return Math.round((Number(priceMist) / 1e9) * suiUsd * 100) / 100;
}
