import { bcs } from '@mysten/sui/bcs';
import { fromBase64 } from '@mysten/sui/utils';
import { amountText, type ShownCoin } from '../../core/payout-words.ts';
import type { PaidLine } from './payouts-calls.ts';

interface Expected {
  readonly lines: readonly PaidLine[];
  readonly treasury: string;
  readonly coin: ShownCoin;
}

/**
 * How a transaction differs from lines of the plan, as a sentence about its bytes; null: it is the treasury's own, pays each of these lines
 * once, and does nothing else. Read from the bytes that are signed, because a person cannot compare 555 lines in a wallet's window.
 */
export function differenceFromLines(base64: string, { lines, treasury, coin }: Expected): string | null {
  const paid = paymentsIn(base64, treasury);
  if (paid === null) return 'They are not a payment by the treasury, or not only that.';
  const keyOf = ({ address, raw }: Payment): string => `${address} ${raw}`;
  const open = lines.map(keyOf);
  for (const payment of paid) {
    const at = open.indexOf(keyOf(payment));
    if (at < 0) return `They pay ${amountText(payment.raw, coin)} to ${payment.address}, which the plan does not say.`;
    open.splice(at, 1);
  }
  const [unpaid] = open;
  return unpaid === undefined ? null : `They do not pay ${unpaid.split(' ')[0]}.`;
}

type Payment = Pick<PaidLine, 'address' | 'raw'>;
type Data = ReturnType<typeof bcs.TransactionData.parse>['V1'];
type Command = NonNullable<Data['kind']['ProgrammableTransaction']>['commands'][number];
type Argument = Extract<Command, { $kind: 'SplitCoins' }>['SplitCoins']['coin'];

const allowed: ReadonlySet<string> = new Set(['SplitCoins', 'MergeCoins', 'TransferObjects']);

/** null: no transaction, somebody else's, or one that does more than pay parts of coins. */
function paymentsIn(base64: string, treasury: string): readonly Payment[] | null {
  try {
    const { kind, sender, gasData } = bcs.TransactionData.parse(fromBase64(base64)).V1;
    const { commands = [], inputs = [] } = kind.ProgrammableTransaction ?? {};
    if (sender !== treasury || gasData.owner !== treasury) return null;
    if (commands.some(({ $kind }) => !allowed.has($kind))) return null;
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
    return commands.flatMap(({ TransferObjects: given }) => {
      if (!given) return [];
      const address = bcs.Address.parse(pureOf(given.address));
      return given.objects.map((coin) => ({ address, raw: amountOf(coin) }));
    });
  } catch {
    return null;
  }
}
