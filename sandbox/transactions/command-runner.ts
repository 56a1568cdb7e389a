import { requireFunction, runMoveCall } from './move-functions.ts';
import type { Place, Session, Value } from './move-values.ts';
import {
  addressAt,
  addTo,
  amountAt,
  borrowCoin,
  CommandsFailed,
  newCoin,
  requireNothingLeft,
  take,
} from './move-values.ts';
import type { Argument, Command } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';
import type { Failure } from '../world/execution.ts';

const runnable = new Set(['SplitCoins', 'MergeCoins', 'TransferObjects', 'MoveCall']);

/** Refuses commands that this chain cannot run. Call it before running any. */
export function requireRunnable(commands: readonly Command[]): void {
  for (const command of commands) {
    if (!runnable.has(command.$kind)) {
      throw new TransactionRefused(`Feature is not supported: the sandbox's chain does not run ${command.$kind}`);
    }
    if (command.MoveCall) requireFunction(command.MoveCall);
  }
}

/** Runs commands in order. Returns the failure, or null when all succeeded. */
export function runCommands(session: Session, commands: readonly Command[], sender: string): Failure | null {
  let at: number | null = null;
  try {
    for (const [index, command] of commands.entries()) {
      at = index;
      session.results.push(run(session, command, sender).map((value) => ({ value })));
    }
    at = null;
    requireNothingLeft(session);
    return null;
  } catch (error) {
    if (error instanceof CommandsFailed) return { reason: error.reason, command: at };
    throw error;
  }
}

function run(session: Session, command: Command, sender: string): Value[] {
  switch (command.$kind) {
    case 'SplitCoins':
      return splitCoins(session, command.SplitCoins);
    case 'MergeCoins':
      return mergeCoins(session, command.MergeCoins);
    case 'TransferObjects':
      return transferObjects(session, command.TransferObjects);
    case 'MoveCall':
      return runMoveCall(session, command.MoveCall, sender);
    default:
      throw new Error(`${command.$kind} was not checked`);
  }
}

function placesFrom(first: number, given: readonly Argument[]): Place[] {
  return given.map((argument, index) => ({ argument, index: first + index }));
}

type Parts<K extends Command['$kind']> = Extract<Command, { $kind: K }>;

function splitCoins(session: Session, { coin, amounts }: Parts<'SplitCoins'>['SplitCoins']): Value[] {
  const source = borrowCoin(session, { argument: coin, index: 0 });
  const wanted = placesFrom(1, amounts).map((place) => amountAt(session, place));
  const total = wanted.reduce((sum, amount) => sum + amount, 0n);
  if (total > source.amount) throw new CommandsFailed({ kind: 'InsufficientCoinBalance' });
  source.amount -= total;
  return wanted.map((amount) => newCoin(session, source.coinType, amount));
}

function mergeCoins(session: Session, { destination, sources }: Parts<'MergeCoins'>['MergeCoins']): Value[] {
  const { coinType } = borrowCoin(session, { argument: destination, index: 0 });
  const taken = placesFrom(1, sources).map((place) => take(session, place, ['coin'], { coinType }));
  // Borrowed again: a coin that was merged into itself is gone.
  const target = borrowCoin(session, { argument: destination, index: 0 });
  for (const { amount } of taken) addTo(target, amount);
  return [];
}

function transferObjects(session: Session, { objects, address }: Parts<'TransferObjects'>['TransferObjects']): Value[] {
  const places = placesFrom(0, objects);
  const taken = places.map((place) => take(session, place, ['coin', 'nft'], { mayBeGas: true }));
  const to = addressAt(session, { argument: address, index: objects.length });
  for (const object of taken) session.given.push({ object, to });
  return [];
}
