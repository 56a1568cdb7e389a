import { digestFrom, uuidFrom } from './derived-ids.ts';
import { gasUsed, payGas } from './moving-coins.ts';
import type { ActionRow, ChainEvent, ChainTransaction, WorldContext, WorldState } from './state.ts';
import { markedLabel, nextSequence } from './state.ts';
import { suiPriceUsd } from './tokens.ts';

/** A fixed time: a world that starts later has higher checkpoints, as a product that keeps its data expects. */
const firstCheckpointMs = Date.parse('2025-06-17T04:00:00Z');
/** Mainnet makes about four checkpoints a second. */
const checkpointEveryMs = 250;

/** The newest checkpoint reported to a client: it is closed, and new transactions go into a later one. */
const closedCheckpoints = new WeakMap<WorldState, number>();

function checkpointAt(atMs: number): number {
  return Math.floor((atMs - firstCheckpointMs) / checkpointEveryMs);
}

/** The time of a checkpoint, in milliseconds since 1970. */
export function timeOfCheckpoint(checkpoint: number): number {
  return firstCheckpointMs + checkpoint * checkpointEveryMs;
}

/** The newest checkpoint. Reading it closes it. */
export function newestCheckpoint(world: WorldContext): number {
  const { state } = world;
  const newest = Math.max(checkpointAt(world.now().getTime()), state.transactions.at(-1)?.checkpoint ?? 0);
  closedCheckpoints.set(state, newest);
  return newest;
}

function nextCheckpoint(state: WorldState, atMs: number): number {
  const closed = closedCheckpoints.get(state) ?? -1;
  return Math.max(checkpointAt(atMs), closed + 1, state.transactions.at(-1)?.checkpoint ?? 0);
}

/** A new transaction with time and checkpoint but no changes, not yet in the ledger. */
export function draftTransaction(
  world: WorldContext,
  { digest, sender, version }: Pick<ChainTransaction, 'digest' | 'sender' | 'version'>,
): ChainTransaction {
  const timestampMs = world.now().getTime();
  return {
    digest,
    sender,
    timestampMs,
    checkpoint: nextCheckpoint(world.state, timestampMs),
    version,
    failure: null,
    signed: null,
    events: [],
    gas: { payer: sender, coinId: null, used: gasUsed },
    balanceChanges: [],
    accumulatorChanges: [],
    objects: [],
    placements: [],
  };
}

/** Adds an executed transaction with its gas paid to the ledger; the caller adds its other changes. */
export function execute(world: WorldContext, sender: string, events: ChainEvent[] = []): ChainTransaction {
  const { state } = world;
  // Versions come from the sequence, so each write is newer than all earlier ones.
  const version = nextSequence(state);
  const digest = digestFrom(markedLabel(state, `transaction/${version}`));
  const transaction = { ...draftTransaction(world, { digest, sender, version }), events };
  payGas(state, transaction);
  state.transactions.push(transaction);
  return transaction;
}

export type RecordAction = Pick<ActionRow, 'type' | 'collectionKey' | 'nftId' | 'priceMist' | 'sender' | 'receiver'> &
  Partial<Pick<ActionRow, 'marketName' | 'nonce'>>;

/** Adds one row to the marketplace's activity. */
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
