import { foreignText } from '../../shared/foreign-text.ts';
import { toDecimalText } from '../../shared/money.ts';
import { shortType } from '../../shared/sui-address.ts';

/** Rulings R8: per coin opening + in - out = closing, and closing is compared with the chain's balance at the same checkpoint. */

export interface SumOfCoin {
  readonly coinType: string;
  readonly openingRaw: bigint;
  readonly inRaw: bigint;
  readonly outRaw: bigint;
}

export interface LateChange {
  readonly coinType: string;
  readonly raw: bigint;
  readonly checkpoint: bigint;
}

export interface LedgerProof {
  readonly checkpoint: bigint;
  readonly coins: readonly ProvenCoin[];
}

/** About 5 seconds: balances are only roughly from their checkpoint. */
export const aboutCheckpoints = 20n;

/** Sums as they were at the checkpoint of the proof. */
interface ProvenCoin extends SumOfCoin {
  readonly closingRaw: bigint;
  readonly chainRaw: bigint;
  /** chain - closing. */
  readonly unexplainedRaw: bigint;
}

/**
 * Balances come without their own checkpoint, only with one from about the same time (`checkpoint`). They are compared with the ledger
 * there and, if that differs, with the ledger after each change nearby. The first checkpoint at which every coin agrees is taken as
 * theirs; if there is none, the differences are given for `checkpoint`. `changes`: all since `aboutCheckpoints` before it.
 */
export function proveSums(
  sums: readonly SumOfCoin[],
  changes: readonly LateChange[],
  balances: ReadonlyMap<string, bigint>,
  checkpoint: bigint,
): LedgerProof {
  const from = checkpoint - aboutCheckpoints;
  const nearby = changes.flatMap((change) =>
    change.checkpoint > from && change.checkpoint <= checkpoint + aboutCheckpoints ? [change.checkpoint] : [],
  );
  const expected = coinsAt(sums, changes, balances, checkpoint);
  if (agrees(expected)) return { checkpoint, coins: expected };
  // The time before the first nearby change counts too: the balances may be slightly older.
  for (const candidate of new Set([...nearby, from])) {
    const coins = coinsAt(sums, changes, balances, candidate);
    if (agrees(coins)) return { checkpoint: candidate, coins };
  }
  return { checkpoint, coins: expected };
}

const agrees = (coins: readonly ProvenCoin[]): boolean => coins.every(({ unexplainedRaw }) => unexplainedRaw === 0n);

function coinsAt(
  sums: readonly SumOfCoin[],
  changes: readonly LateChange[],
  balances: ReadonlyMap<string, bigint>,
  checkpoint: bigint,
): readonly ProvenCoin[] {
  const later = Map.groupBy(
    changes.filter((change) => change.checkpoint > checkpoint),
    ({ coinType }) => coinType,
  );
  const summed = new Set(sums.map(({ coinType }) => coinType));
  // Coins with a balance on chain that the ledger has never seen.
  const unmet = [...balances.keys()]
    .filter((coinType) => !summed.has(coinType))
    .map((coinType): SumOfCoin => ({ coinType, openingRaw: 0n, inRaw: 0n, outRaw: 0n }));
  return [...sums, ...unmet].map((sum) => {
    const { coinType, openingRaw } = sum;
    const { inRaw, outRaw } = withoutLater(sum, later.get(coinType) ?? []);
    const closingRaw = openingRaw + inRaw - outRaw;
    const chainRaw = balances.get(coinType) ?? 0n;
    return { coinType, openingRaw, inRaw, outRaw, closingRaw, chainRaw, unexplainedRaw: chainRaw - closingRaw };
  });
}

const withoutLater = ({ inRaw, outRaw }: SumOfCoin, later: readonly LateChange[]) => ({
  inRaw: later.reduce((total, { raw }) => (raw > 0n ? total - raw : total), inRaw),
  outRaw: later.reduce((total, { raw }) => (raw < 0n ? total + raw : total), outRaw),
});

const namedMax = 3;

/** '+12.5 SUI, -3 USDC and 2 more coins'; null: every coin adds up. `formatOf`: symbol and decimals of a coin; null: no metadata. */
export function unexplainedText(
  { coins }: LedgerProof,
  formatOf: (coinType: string) => { readonly symbol: string; readonly decimals: number } | null,
): string | null {
  const differing = coins.filter(({ unexplainedRaw }) => unexplainedRaw !== 0n);
  if (differing.length === 0) return null;
  const amounts = differing.slice(0, namedMax).map(({ coinType, unexplainedRaw }) => {
    const { symbol = shortType(coinType), decimals = null } = formatOf(coinType) ?? {};
    const size = decimals === null ? `${unexplainedRaw} base units of` : toDecimalText(unexplainedRaw, decimals);
    return `${unexplainedRaw > 0n ? '+' : ''}${size} ${foreignText(symbol, 40)}`;
  });
  const more = differing.length - amounts.length;
  return `${amounts.join(', ')}${more === 0 ? '' : ` and ${more} more ${more === 1 ? 'coin' : 'coins'}`}`;
}
