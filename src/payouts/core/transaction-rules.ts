import { amountText, type ShownCoin } from './payout-words.ts';
import { suiText } from '../../shared/money.ts';
import { shortAddress, shortType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject, Simulated } from '../../sources/sui/chain-transaction.ts';

/**
 * Rulings R9, for each transaction of a payout: which coin objects it spends, each named with its version, so that it can be executed
 * only once; and, before anyone sees it, whether its simulation does exactly what it is meant to do, to the unit. Pure.
 */

interface Coin {
  readonly objectId: string;
  readonly raw: bigint;
}

export interface Needs {
  /** SUI itself is paid from the gas coins. */
  readonly isSui: boolean;
  readonly coin: ShownCoin;
  /** What this transaction pays. */
  readonly raw: bigint;
  /** What all open lines need: nobody is paid until there is enough for everyone. */
  readonly openRaw: bigint;
  /** In the address balance or in party objects. */
  readonly elsewhereRaw: bigint;
}

type Chosen<C> =
  | {
      readonly kind: 'chosen';
      readonly gasCoins: readonly C[];
      /** Of the paid coin; empty for SUI. */
      readonly coins: readonly C[];
      /** What is available for gas. */
      readonly gasMaxMist: bigint;
    }
  /** A sentence for the person who pays. */
  | { readonly kind: 'short'; readonly message: string };

/** First coins of earlier transactions come first again, newest first, which chains the transactions. Then the largest. */
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

/** How many gas coins a transaction may name (`max_gas_payment_objects`); the same limit is used for another coin. */
const coinsMax = 256;
/** The coin objects that a transaction spends, whatever it pays. Takes them in order. */
export const usedCoins = <C>(coins: readonly C[]): readonly C[] => coins.slice(0, coinsMax);

/** The most that a transaction may spend on gas (`max_tx_gas`). */
const budgetMaxMist = 50_000_000_000n;

/**
 * Chooses as many as fit, not as few as suffice: a payment that someone makes by hand from any of them then keeps this transaction from
 * being executed. `sui` and `held`: coin objects of SUI and of the paid coin, in order.
 */
export function chooseCoins<C extends Coin>(sui: readonly C[], held: readonly C[], needs: Needs): Chosen<C> {
  const shortage = shortageOf(needs.isSui ? sui : held, needs);
  if (shortage !== null) return { kind: 'short', message: shortage };
  const gasCoins = usedCoins(sui);
  const paidMist = needs.isSui ? needs.raw : 0n;
  const gasMist = sumOf(gasCoins) - paidMist;
  if (gasMist <= 0n) return { kind: 'short', message: 'The treasury has no SUI left for gas. Send it some as a coin.' };
  const coins = needs.isSui ? [] : usedCoins(held);
  return { kind: 'chosen', gasCoins, coins, gasMaxMist: gasMist < budgetMaxMist ? gasMist : budgetMaxMist };
}

/** Why these coin objects of the paid coin are not enough, as a sentence; null: they are. */
function shortageOf(held: readonly Coin[], { coin, raw, openRaw, elsewhereRaw }: Needs): string | null {
  const text = (amount: bigint): string => amountText(String(amount), coin);
  if (sumOf(held) < openRaw) {
    const elsewhere =
      elsewhereRaw > 0n
        ? ` ${text(elsewhereRaw)} are in its address balance or in party objects, which cannot be paid from: send them to the treasury as a coin first.`
        : '';
    return `The treasury has ${text(sumOf(held))} in coin objects, but the open lines need ${text(openRaw)}.${elsewhere}`;
  }
  const usedRaw = sumOf(usedCoins(held));
  if (usedRaw >= raw) return null;
  return `A transaction can use ${coinsMax} coin objects, and the ${coinsMax} largest of the treasury hold ${text(usedRaw)} of the ${text(raw)} that are needed. Merge its coins first.`;
}

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { raw }) => sum + raw, 0n);

interface Payment {
  readonly address: string;
  readonly raw: bigint;
}

/** What the transaction is meant to do. */
export interface IntendedTransaction {
  /** Also pays the gas. */
  readonly sender: string;
  readonly coinType: string;
  /** Each address once. */
  readonly payments: readonly Payment[];
  readonly gasCoins: readonly { readonly objectId: string }[];
  readonly coins: readonly { readonly objectId: string }[];
  readonly budgetMist: bigint;
}

/** The total cost; below zero if more storage is refunded than used. */
export const gasMistOf = ({ computationMist, storageMist, rebateMist }: Simulated['gas']): bigint =>
  computationMist + storageMist - rebateMist;

/** The cost of storing a coin object of about 130 bytes; the computation of a transaction costs 1,000,000 more. */
const coinObjectMist = 988_000n;
const computationMist = 1_000_000n;

/** About what it costs to pay that many lines. */
export const gasMistAbout = (lines: number, transactions: number): bigint =>
  BigInt(lines) * coinObjectMist + BigInt(transactions) * computationMist;

/** The likely reason why a transaction fails, as a sentence; empty: there is enough for gas. Merged coins may refund more than it costs. */
export function gasShortage(gasMaxMist: bigint, lines: number): string {
  const neededMist = gasMistAbout(lines, 1);
  if (gasMaxMist >= neededMist) return '';
  return `The treasury has ${suiText(gasMaxMist)} left for gas, but about ${suiText(neededMist)} are needed: send it some as a coin. `;
}

/** Units of gas added to what was used, as in the SDK: what is read may cost a little more by then. */
const safetyUnits = 1_000n;

/** The budget for a transaction that used this much: at least its computation, whatever storage is refunded. */
export function budgetFor(gas: Simulated['gas'], gasPriceMist: bigint): bigint {
  const computationMist = gas.computationMist + safetyUnits * gasPriceMist;
  const netMist = computationMist + gas.storageMist - gas.rebateMist;
  return netMist > computationMist ? netMist : computationMist;
}

/** The first difference from what is meant, as a sentence; null: it does exactly that. */
export function differenceFrom(meant: IntendedTransaction, simulated: Simulated): string | null {
  const { sender, budgetMist } = meant;
  if (simulated.sender !== sender || simulated.gasPayer !== sender || simulated.budgetMist !== budgetMist)
    return 'The node simulated a different transaction from the one it was given.';
  if (gasMistOf(simulated.gas) > budgetMist) return 'In the simulation it costs more gas than its budget.';
  return balanceDifference(meant, simulated) ?? objectDifference(meant, simulated.objects);
}

function balanceDifference(
  { sender, coinType, payments }: IntendedTransaction,
  { gas, balanceChanges }: Simulated,
): string | null {
  const out = { address: sender, coinType, raw: -payments.reduce((sum, { raw }) => sum + raw, 0n) };
  const gasPaid = { address: sender, coinType: suiCoinType, raw: -gasMistOf(gas) };
  const keyOf = (change: ChainTransaction['balanceChanges'][number]): string => `${change.address} ${change.coinType}`;
  const expected = sums([...payments.map((each) => ({ ...each, coinType })), out, gasPaid], keyOf);
  const simulated = sums(balanceChanges, keyOf);
  for (const key of new Set([...expected.keys(), ...simulated.keys()])) {
    const simulatedRaw = simulated.get(key) ?? 0n;
    const expectedRaw = expected.get(key) ?? 0n;
    if (simulatedRaw === expectedRaw) continue;
    const [address = '', type = ''] = key.split(' ');
    return `In the simulation ${shortAddress(address)} gains ${simulatedRaw} base units of ${shortType(type)}, in the plan ${expectedRaw}.`;
  }
  return null;
}

function sums<Each extends Payment>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const each of all) found.set(keyOf(each), (found.get(keyOf(each)) ?? 0n) + each.raw);
  return found;
}

/** Each recipient gets one new coin object, and nothing else changes hands. */
function objectDifference(meant: IntendedTransaction, objects: readonly ChangedObject[]): string | null {
  const coin = `0x${'2'.padStart(64, '0')}::coin::Coin<${meant.coinType}>`;
  const unpaid = new Set(meant.payments.map(({ address }) => address));
  const spent = new Set([...meant.coins, ...meant.gasCoins].map(({ objectId }) => objectId));
  for (const { objectId, objectType, after, isCreated } of objects) {
    const to = after?.kind === 'wallet' ? after.address : null;
    const isOwnCoin = !isCreated && spent.has(objectId) && (after === null || to === meant.sender);
    if (isOwnCoin) continue;
    const isPayment = isCreated && objectType === coin && to !== null && unpaid.has(to);
    if (!isPayment) return `In the simulation it touches ${shortAddress(objectId)}, which is not part of it.`;
    unpaid.delete(to);
  }
  const [first] = unpaid;
  return first === undefined ? null : `In the simulation ${shortAddress(first)} gets no coin object.`;
}
