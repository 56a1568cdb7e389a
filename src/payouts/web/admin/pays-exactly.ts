import { bcs } from '@mysten/sui/bcs';
import type { Transaction } from '@mysten/sui/transactions';
import { fromBase64 } from '@mysten/sui/utils';
import type { PaidLine } from './transactions-calls.ts';

type Data = ReturnType<Transaction['getData']>;
type Argument = NonNullable<Data['commands'][number]['SplitCoins']>['coin'];

const allowed: ReadonlySet<string> = new Set(['SplitCoins', 'MergeCoins', 'TransferObjects']);

/**
 * Whether the transaction is the treasury's own and pays exactly these lines, each once, and does nothing else: read from the bytes that
 * the wallet gets, because a person cannot compare 555 lines in a wallet's window. Throws what the SDK throws for nonsense.
 */
export function paysExactly(
  { sender, gasData, commands, inputs }: Data,
  lines: readonly PaidLine[],
  treasury: string,
): boolean {
  if (sender !== treasury || gasData.owner !== treasury) return false;
  if (commands.some(({ $kind }) => !allowed.has($kind))) return false;
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
  const paid = commands.flatMap(({ TransferObjects: given }) => {
    if (!given) return [];
    const address = bcs.Address.parse(pureOf(given.address));
    return given.objects.map((coin) => `${address} ${amountOf(coin)}`);
  });
  const wanted = lines.map(({ address, raw }) => `${address} ${raw}`);
  return paid.toSorted().join('\n') === wanted.toSorted().join('\n');
}
