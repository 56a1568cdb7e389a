import { amountText, type ShownCoin } from './payout-words.ts';

/** Rulings R9: which coin objects a transaction spends. Every one is named with its version, so that it can be executed once. Pure. */

interface Coin {
  readonly objectId: string;
  readonly raw: bigint;
}

export interface Needs {
  /** SUI itself is paid out of the gas coins. */
  readonly isSui: boolean;
  readonly coin: ShownCoin;
  /** Of this transaction. */
  readonly raw: bigint;
  /** Of everything that is open: nobody is paid before there is enough for all. */
  readonly openRaw: bigint;
  /** What lies in the address balance and in no coin object. */
  readonly addressRaw: bigint;
}

export type Chosen<C> =
  | {
      readonly kind: 'chosen';
      readonly gasCoins: readonly C[];
      /** Of another coin than SUI. */
      readonly coins: readonly C[];
      /** What is there for gas. */
      readonly gasMaxMist: bigint;
    }
  /** A sentence for the person who pays. */
  | { readonly kind: 'short'; readonly message: string };

/**
 * First coins of earlier transactions go first again, the newest before the others: that chains what is paid one after the other. Then
 * the largest.
 */
export function coinsInOrder<C extends Coin>(coins: readonly C[], paidBefore: readonly string[]): readonly C[] {
  const rank = ({ objectId }: C): number => {
    const place = paidBefore.indexOf(objectId);
    return place < 0 ? paidBefore.length : place;
  };
  return coins.toSorted((one, other) => {
    if (rank(one) !== rank(other)) return rank(one) - rank(other);
    if (one.raw !== other.raw) return one.raw > other.raw ? -1 : 1;
    return one.objectId < other.objectId ? -1 : 1;
  });
}

/** A transaction may name so many gas coins (`max_gas_payment_objects`); of another coin as many. */
const coinsMax = 256;
/** What a transaction spends of coin objects in their order, whatever it pays. */
export const usedCoins = <C>(coins: readonly C[]): readonly C[] => coins.slice(0, coinsMax);

/** The most that a transaction may spend on gas (`max_tx_gas`). */
const budgetMaxMist = 50_000_000_000n;

/**
 * As many as fit, not as few as suffice: a payment that somebody makes by hand out of any of them keeps this transaction from being
 * executed. `sui` and `held`: coin objects of SUI, and of what is paid, in their order.
 */
export function chooseCoins<C extends Coin>(sui: readonly C[], held: readonly C[], needs: Needs): Chosen<C> {
  const gasCoins = usedCoins(sui);
  const coins = needs.isSui ? [] : usedCoins(held);
  const short = shortage(needs.isSui ? sui : held, needs.isSui ? gasCoins : coins, needs);
  if (short !== null) return { kind: 'short', message: short };
  const gasMist = sumOf(gasCoins) - (needs.isSui ? needs.raw : 0n);
  if (gasMist <= 0n) return { kind: 'short', message: 'The treasury has no SUI left for gas. Send it some as a coin.' };
  return { kind: 'chosen', gasCoins, coins, gasMaxMist: gasMist < budgetMaxMist ? gasMist : budgetMaxMist };
}

function shortage(held: readonly Coin[], used: readonly Coin[], needs: Needs): string | null {
  const { coin, raw, openRaw, addressRaw } = needs;
  const text = (amount: bigint): string => amountText(String(amount), coin);
  if (sumOf(held) < openRaw) {
    const elsewhere =
      addressRaw > 0n
        ? ` ${text(addressRaw)} are in its address balance, which cannot be paid from: send them to the treasury as a coin first.`
        : '';
    return `The treasury has ${text(sumOf(held))} in coin objects, but the open lines need ${text(openRaw)}.${elsewhere}`;
  }
  if (sumOf(used) >= raw) return null;
  return `A transaction can use ${coinsMax} coin objects, and the ${coinsMax} largest of the treasury hold ${text(sumOf(used))} of the ${text(raw)} that are needed. Merge its coins first.`;
}

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { raw }) => sum + raw, 0n);
