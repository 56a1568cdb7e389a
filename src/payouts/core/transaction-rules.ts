import { amountText, type ShownCoin } from './payout-words.ts';
import { shortAddress, shortType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject, Simulated } from '../../sources/sui/chain-transaction.ts';

/**
 * Rulings R9, of each transaction of a payout: which coin objects it spends, each named with its version, so that it can be executed
 * once; and, before anybody sees it, whether its simulation does to the unit what it is meant to do. Pure.
 */

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

type Chosen<C> =
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

interface Payment {
  readonly address: string;
  readonly raw: bigint;
}

/** What was asked for. */
export interface Meant {
  /** Who pays the gas, too. */
  readonly sender: string;
  readonly coinType: string;
  /** Each address once. */
  readonly payments: readonly Payment[];
  readonly gasCoins: readonly { readonly objectId: string }[];
  readonly coins: readonly { readonly objectId: string }[];
  readonly budgetMist: bigint;
}

/** What it costs in all; below zero where more storage is given back than used. */
export const gasMistOf = ({ computationMist, storageMist, rebateMist }: Simulated['gas']): bigint =>
  computationMist + storageMist - rebateMist;

/** So many units of gas more than were used, as the SDK has it: what is read may cost a little more by then. */
const safetyUnits = 1_000n;

/** A budget for a transaction that used so much. What is given back is not counted on alone. */
export function budgetFor(gas: Simulated['gas'], gasPriceMist: bigint): bigint {
  const computationMist = gas.computationMist + safetyUnits * gasPriceMist;
  const netMist = computationMist + gas.storageMist - gas.rebateMist;
  return netMist > computationMist ? netMist : computationMist;
}

/** The first thing that is not as it was meant, as a sentence; null: it does exactly what the plan says. */
export function differenceFrom(meant: Meant, simulated: Simulated): string | null {
  const { sender, budgetMist } = meant;
  if (simulated.sender !== sender || simulated.gasPayer !== sender || simulated.budgetMist !== budgetMist)
    return 'The node simulated a different transaction from the one it was given.';
  if (gasMistOf(simulated.gas) > budgetMist) return 'In the simulation it costs more gas than its budget.';
  return balanceDifference(meant, simulated) ?? objectDifference(meant, simulated.objects);
}

function balanceDifference({ sender, coinType, payments }: Meant, { gas, balanceChanges }: Simulated): string | null {
  const out = { address: sender, coinType, raw: -payments.reduce((sum, { raw }) => sum + raw, 0n) };
  const gasPaid = { address: sender, coinType: suiCoinType, raw: -gasMistOf(gas) };
  const keyOf = (change: ChainTransaction['balanceChanges'][number]): string => `${change.address} ${change.coinType}`;
  const expected = sums([...payments.map((each) => ({ ...each, coinType })), out, gasPaid], keyOf);
  const said = sums(balanceChanges, keyOf);
  for (const key of new Set([...expected.keys(), ...said.keys()])) {
    const [one, other] = [said.get(key) ?? 0n, expected.get(key) ?? 0n];
    if (one === other) continue;
    const [address = '', type = ''] = key.split(' ');
    return `In the simulation ${shortAddress(address)} gains ${one} base units of ${shortType(type)}, in the plan ${other}.`;
  }
  return null;
}

function sums<Each extends Payment>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const each of all) found.set(keyOf(each), (found.get(keyOf(each)) ?? 0n) + each.raw);
  return found;
}

/** Each recipient gets one new coin object, and nothing else changes hands. */
function objectDifference(meant: Meant, objects: readonly ChangedObject[]): string | null {
  const coin = `0x${'2'.padStart(64, '0')}::coin::Coin<${meant.coinType}>`;
  const waiting = new Set(meant.payments.map(({ address }) => address));
  const spent = new Set([...meant.coins, ...meant.gasCoins].map(({ objectId }) => objectId));
  for (const { objectId, objectType, after, isCreated } of objects) {
    const to = after?.kind === 'wallet' ? after.address : null;
    const isPayment = isCreated && objectType === coin && to !== null && waiting.delete(to);
    const isOwn = !isCreated && spent.has(objectId) && (after === null || to === meant.sender);
    if (!isPayment && !isOwn) return `In the simulation it touches ${shortAddress(objectId)}, which is not part of it.`;
  }
  const [unpaid] = waiting;
  return unpaid === undefined ? null : `In the simulation ${shortAddress(unpaid)} gets no coin object.`;
}
