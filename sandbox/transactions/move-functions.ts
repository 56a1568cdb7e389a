import { normalizeSuiAddress } from '@mysten/sui/utils';
import { canonicalType } from '../world/sui-names.ts';
import type { Coin, Place, Session, Value } from './move-values.ts';
import { addressAt, addTo, amountAt, borrowCoin, CommandsFailed, newCoin, take } from './move-values.ts';
import type { Command } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';

/** The framework functions that payments use. Each has one type argument: the coin's type. */

type Call = { session: Session; coinType: string; sender: string; at: (index: number) => Place };
type MoveFunction = { parameters: number; run: (call: Call) => Value[] };

const framework = normalizeSuiAddress('0x2');
const notEnough = 2n;
const nonZero = 0n;

/** `balance::split` aborts, while SplitCoins has its own failure kind. */
function split({ session, coinType, at }: Call): Coin {
  const source = borrowCoin(session, at(0), coinType);
  const amount = amountAt(session, at(1));
  if (source.amount < amount) {
    throw new CommandsFailed({ kind: 'MoveAbort', module: 'balance', functionName: 'split', code: notEnough });
  }
  source.amount -= amount;
  return newCoin(session, coinType, amount);
}

function join({ session, coinType, at }: Call): void {
  const target = borrowCoin(session, at(0), coinType);
  addTo(target, take(session, at(1), ['coin'], { coinType }).amount);
}

function give({ session }: Call, object: Coin, to: string): Value[] {
  session.given.push({ object, to });
  return [];
}

/** Sends to a recipient's address balance. */
function send(kind: 'coin' | 'balance'): (call: Call) => Value[] {
  return ({ session, coinType, at }) => {
    const { amount } = take(session, at(0), [kind], { coinType });
    session.sent.push({ to: addressAt(session, at(1)), coinType, amount });
    return [];
  };
}

function redeem({ session, coinType, at }: Call): bigint {
  const withdrawal = take(session, at(0), ['withdrawal'], { coinType });
  session.withdrawn.push(withdrawal);
  return withdrawal.amount;
}

const functions: Readonly<Record<string, MoveFunction>> = {
  'coin::split': { parameters: 2, run: (call) => [split(call)] },
  'coin::join': {
    parameters: 2,
    run: (call) => {
      join(call);
      return [];
    },
  },
  'coin::zero': { parameters: 0, run: ({ session, coinType }) => [newCoin(session, coinType, 0n)] },
  'coin::destroy_zero': {
    parameters: 1,
    run: ({ session, coinType, at }) => {
      if (take(session, at(0), ['coin'], { coinType }).amount === 0n) return [];
      throw new CommandsFailed({ kind: 'MoveAbort', module: 'balance', functionName: 'destroy_zero', code: nonZero });
    },
  },
  'coin::value': {
    parameters: 1,
    run: ({ session, coinType, at }) => [{ kind: 'u64', amount: borrowCoin(session, at(0), coinType).amount }],
  },
  'coin::into_balance': {
    parameters: 1,
    run: ({ session, coinType, at }) => {
      const { amount } = take(session, at(0), ['coin'], { coinType });
      return [{ kind: 'balance', coinType, amount }];
    },
  },
  'coin::from_balance': {
    parameters: 1,
    run: ({ session, coinType, at }) => [
      newCoin(session, coinType, take(session, at(0), ['balance'], { coinType }).amount),
    ],
  },
  'coin::send_funds': { parameters: 2, run: send('coin') },
  'coin::redeem_funds': { parameters: 1, run: (call) => [newCoin(call.session, call.coinType, redeem(call))] },
  'balance::send_funds': { parameters: 2, run: send('balance') },
  'balance::redeem_funds': {
    parameters: 1,
    run: (call) => [{ kind: 'balance', coinType: call.coinType, amount: redeem(call) }],
  },
  'balance::zero': { parameters: 0, run: ({ coinType }) => [{ kind: 'balance', coinType, amount: 0n }] },
  'pay::split': { parameters: 2, run: (call) => give(call, split(call), call.sender) },
  'pay::split_and_transfer': {
    parameters: 3,
    run: (call) => give(call, split(call), addressAt(call.session, call.at(2))),
  },
  'pay::keep': {
    parameters: 1,
    run: (call) => give(call, take(call.session, call.at(0), ['coin'], { coinType: call.coinType }), call.sender),
  },
  'pay::join': {
    parameters: 2,
    run: (call) => {
      join(call);
      return [];
    },
  },
};

type MoveCall = Extract<Command, { $kind: 'MoveCall' }>['MoveCall'];

function nameOf({ module, function: name }: MoveCall): string {
  return `${module}::${name}`;
}

/** Refuses, before anything runs, functions that this chain does not have. */
export function requireFunction(call: MoveCall): void {
  if (call.package === framework && Object.hasOwn(functions, nameOf(call))) return;
  throw new TransactionRefused(
    `Feature is not supported: the sandbox's chain does not run ${call.package}::${nameOf(call)}`,
  );
}

export function runMoveCall(session: Session, call: MoveCall, sender: string): Value[] {
  const found = functions[nameOf(call)];
  if (!found) throw new Error(`${nameOf(call)} was not checked`);
  const [coinType] = call.typeArguments;
  if (coinType === undefined || call.typeArguments.length > 1) throw new CommandsFailed({ kind: 'TypeArityMismatch' });
  if (call.arguments.length !== found.parameters) throw new CommandsFailed({ kind: 'ArityMismatch' });
  const at = (index: number): Place => {
    const argument = call.arguments[index];
    if (!argument) throw new Error(`${nameOf(call)} has no argument ${index}`);
    return { argument, index };
  };
  return found.run({ session, coinType: canonicalType(coinType), sender, at });
}
