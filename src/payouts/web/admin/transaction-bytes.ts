import { bcs } from '@mysten/sui/bcs';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { chunksOf } from '../../../shared/chunks.ts';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { amountText } from '../../core/payout-words.ts';
import type { CheckedPlan } from '../../core/check/check-plan.ts';
import type { PaidLine } from './payouts-calls.ts';

type PublishedPlan = Pick<CheckedPlan, 'coin' | 'lines'>;

export interface Expected {
  readonly plan: PublishedPlan;
  /** What the transaction pays, according to the server. */
  readonly received: readonly PaidLine[];
  readonly treasury: string;
  readonly gasBudgetMist: string;
  readonly expiresEpoch: number;
}

/**
 * What is wrong with a transaction, as a sentence. null: it pays every listed line once, each is in the published plan, and it does nothing
 * else. It reads the bytes that will be signed: nobody can compare 555 lines in a wallet's window.
 */
export function differenceFromPlan(base64: string, expected: Expected): string | null {
  const { received, plan } = expected;
  const listProblem = problemOfList(received, plan);
  if (listProblem !== null) return listProblem;
  const read = readBytes(base64);
  if (read === null) return otherwise;
  const keyOf = ({ address, raw }: Payment): string => `${address} ${raw}`;
  const open = received.map(keyOf);
  for (const payment of read.payments) {
    const at = open.indexOf(keyOf(payment));
    if (at < 0)
      return `They pay ${amountText(payment.raw, plan.coin)} to ${payment.address}, which is not in the plan.`;
    open.splice(at, 1);
  }
  const [unpaid] = open;
  if (unpaid !== undefined) return `They do not pay ${unpaid.split(' ')[0]}.`;
  return rebuilt(read, expected) === toBase64(read.bytes) ? null : otherwise;
}

const otherwise = 'These bytes do something other than pay from the treasury.';

function problemOfList(received: readonly PaidLine[], plan: PublishedPlan): string | null {
  if (received.length === 0) return 'They pay nobody.';
  const open = new Map(plan.lines.map((line) => [line.address, line]));
  for (const { address, raw, rocks } of received) {
    const line = open.get(address);
    if (line?.raw !== raw || line.rocks.join() !== rocks.join())
      return `What is listed for ${address} is not in the plan, or is listed twice.`;
    open.delete(address);
  }
  return null;
}

type Payment = Pick<PaidLine, 'address' | 'raw'>;
type Data = ReturnType<typeof bcs.TransactionData.parse>['V1'];
type Programmable = NonNullable<Data['kind']['ProgrammableTransaction']>;
type Argument = Extract<Programmable['commands'][number], { $kind: 'SplitCoins' }>['SplitCoins']['coin'];

interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly data: Data;
  readonly payments: readonly Payment[];
}

/** Only who is paid how much; comparing with `rebuilt` finds everything else. null: the bytes cannot be read as payments. */
function readBytes(base64: string): ReadBytes | null {
  try {
    const bytes = fromBase64(base64);
    const data = bcs.TransactionData.parse(bytes).V1;
    const { commands = [], inputs = [] } = data.kind.ProgrammableTransaction ?? {};
    const pureOf = (argument: Argument | undefined): Uint8Array => {
      const pure = argument?.$kind === 'Input' ? inputs[argument.Input]?.Pure : undefined;
      if (!pure) throw new Error('not a value of the transaction itself');
      return fromBase64(pure.bytes);
    };
    const amountOf = (coin: Argument): string => {
      if (coin.$kind !== 'NestedResult') throw new Error('not a part of a split coin');
      const [from, index] = coin.NestedResult;
      return bcs.u64().parse(pureOf(commands[from]?.SplitCoins?.amounts[index]));
    };
    const payments = commands.flatMap(({ TransferObjects: given }) => {
      if (!given) return [];
      const address = bcs.Address.parse(pureOf(given.address));
      return given.objects.map((coin) => ({ address, raw: amountOf(coin) }));
    });
    return { bytes, data, payments };
  } catch {
    return null;
  }
}

type NewData = NonNullable<Parameters<typeof bcs.TransactionData.serialize>[0]['V1']>;
type NewProgrammable = Extract<NewData['kind'], { ProgrammableTransaction: unknown }>['ProgrammableTransaction'];
type NewCommand = NewProgrammable['commands'] extends Iterable<infer Each> ? Each : never;
type NewInput = NewProgrammable['inputs'] extends Iterable<infer Each> ? Each : never;

/** The same as on the server (src/sources/sui/execution.ts). */
const amountsPerSplit = 511;

/**
 * Builds, without the server's code, the one transaction that pays this from the same coin objects at the same gas price.
 * A transaction that does anything more has other bytes. null: it uses the gas coin for another coin than SUI, or the reverse.
 */
function rebuilt({ data, payments }: ReadBytes, { plan, treasury, gasBudgetMist, expiresEpoch }: Expected) {
  const { gasData, kind } = data;
  const coins = (kind.ProgrammableTransaction?.inputs ?? []).flatMap((input) => input.Object?.ImmOrOwnedObject ?? []);
  const paysGasCoin = coins.length === 0;
  if (paysGasCoin !== (plan.coin.type === suiCoinType)) return null;
  const inputs: NewInput[] = coins.map((coin) => ({ Object: { ImmOrOwnedObject: coin } }));
  const commands: NewCommand[] = [];
  const add = (pure: { toBase64(): string }) => ({ Input: inputs.push({ Pure: { bytes: pure.toBase64() } }) - 1 });
  if (coins.length > 1) {
    const sources = coins.slice(1).map((_coin, index) => ({ Input: index + 1 }));
    commands.push({ MergeCoins: { destination: { Input: 0 }, sources } });
  }
  for (const part of chunksOf(payments, amountsPerSplit)) {
    const amounts = part.map(({ raw }) => add(bcs.u64().serialize(raw)));
    const coin = paysGasCoin ? { GasCoin: true as const } : { Input: 0 };
    const split = commands.push({ SplitCoins: { coin, amounts } }) - 1;
    for (const [index, { address }] of part.entries()) {
      const objects = [{ NestedResult: [split, index] as [number, number] }];
      commands.push({ TransferObjects: { objects, address: add(bcs.Address.serialize(address)) } });
    }
  }
  const whole: NewData = {
    kind: { ProgrammableTransaction: { inputs, commands } },
    sender: treasury,
    gasData: { ...gasData, owner: treasury, budget: gasBudgetMist },
    expiration: { Epoch: expiresEpoch },
  };
  return bcs.TransactionData.serialize({ V1: whole }).toBase64();
}
