import { ownedBy, recordAccumulator, recordBalance, recordNew, recordObject } from './changes.ts';
import { addressFrom } from './derived-ids.ts';
import type { GasUsed } from './execution.ts';
import { gasCostOf } from './execution.ts';
import type { ChainTransaction, Holding, WorldState } from './state.ts';
import { Impossible } from './state.ts';
import { coinStruct, suiCoinType } from './sui-names.ts';

/** Coins move only in transactions that record it, so holdings are the sum of all recorded changes. */

/** The gas of every transaction that the world makes itself, like a small one on mainnet. */
export const gasUsed: GasUsed = {
  computation: 1_000_000n,
  storage: 4_940_000n,
  rebate: 2_934_360n,
  notRefunded: 29_640n,
};
export const gasMist = gasCostOf(gasUsed);

/** Pays the gas for senders who cannot. */
const sponsor = addressFrom('sponsor');

/** The other side when the world itself adds or removes coins. */
export const stranger = addressFrom('stranger');

/** An amount of one coin of one address; goes into a coin object unless `into` is the address balance. */
export type Share = { address: string; coinType: string; amount: bigint; into?: CoinPlace };
export type CoinPlace = 'coin' | 'party-coin' | 'address-balance';

/** Null: the balances of this address are not tracked. */
export function holdingOf(state: WorldState, address: string, coinType: string): Holding | null {
  const holdings = state.holdings.get(address);
  if (!holdings) return null;
  const holding = holdings.get(coinType) ?? { coinObjects: [], addressBalance: 0n };
  holdings.set(coinType, holding);
  return holding;
}

/** An address's total balance of a coin; null for addresses whose balances are not tracked. */
export function heldOf(state: WorldState, address: string, coinType: string): bigint | null {
  const holdings = state.holdings.get(address);
  if (!holdings) return null;
  const holding = holdings.get(coinType);
  return holding ? holding.coinObjects.reduce((sum, coin) => sum + coin.amount, holding.addressBalance) : 0n;
}

/** Throws Impossible when an address cannot pay, gas included. Call it before changing anything. */
export function requireFunds(state: WorldState, share: Share): void {
  const { address, coinType, amount } = share;
  const held = heldOf(state, address, coinType);
  const needed = coinType === suiCoinType && amount > 0n ? amount + gasMist : amount;
  if (held !== null && held < needed) throw new Impossible(`${address} has too little of ${coinType}`);
}

/** Moves coins from one address to another. Does nothing when both are the same. */
export function moveCoins(
  state: WorldState,
  transaction: ChainTransaction,
  move: Omit<Share, 'address'> & { from: string; to: string },
): void {
  const { from, to, ...what } = move;
  if (from === to || what.amount === 0n) return;
  takeCoins(state, transaction, { ...what, address: from });
  giveCoins(state, transaction, { ...what, address: to });
}

/** Takes from coin objects first, from the address balance last. */
export function takeCoins(state: WorldState, transaction: ChainTransaction, share: Share): void {
  const { address, coinType, amount } = share;
  recordBalance(transaction, { address, coinType, amount: -amount });
  const holding = holdingOf(state, address, coinType);
  if (!holding) return;
  const left = takeFromCoinObjects(transaction, holding, share);
  if (left > holding.addressBalance)
    throw new Error(`${address} has too little of ${coinType}: requireFunds did not run`);
  if (left === 0n) return;
  holding.addressBalance -= left;
  recordAccumulator(transaction, { address, coinType, amount: -left });
}

function takeFromCoinObjects(transaction: ChainTransaction, holding: Holding, share: Share): bigint {
  const objectType = coinTypeOf(share.coinType);
  const owner = ownedBy(share.address);
  let left = share.amount;
  while (left > 0n) {
    const [first] = holding.coinObjects;
    if (!first) break;
    const isSpent = first.amount <= left;
    recordObject(transaction, {
      objectId: first.id,
      objectType,
      before: owner,
      after: isSpent ? null : owner,
      versions: { before: first.version, after: isSpent ? null : transaction.version },
    });
    first.version = transaction.version;
    first.lastDigest = transaction.digest;
    if (isSpent) holding.coinObjects.shift();
    else first.amount -= left;
    left = isSpent ? left - first.amount : 0n;
  }
  return left;
}

/** Adds coins as a new coin object, the way a transfer arrives, or to the address balance. */
export function giveCoins(state: WorldState, transaction: ChainTransaction, share: Share): void {
  const { address, coinType, amount } = share;
  recordBalance(transaction, { address, coinType, amount });
  const holding = holdingOf(state, address, coinType);
  if (share.into === 'address-balance') {
    recordAccumulator(transaction, { address, coinType, amount });
    if (holding) holding.addressBalance += amount;
    return;
  }
  const id = addressFrom(`coin/${transaction.digest}/${transaction.objects.length}`);
  const { version, digest: lastDigest } = transaction;
  recordNew(transaction, { objectId: id, objectType: coinTypeOf(coinType), owner: ownedBy(address), version });
  holding?.coinObjects.push({ id, amount, version, lastDigest, isParty: share.into === 'party-coin' });
}

/** Charges the sender, or the sponsor when the sender has too little. */
export function payGas(state: WorldState, transaction: ChainTransaction): void {
  const held = heldOf(state, transaction.sender, suiCoinType);
  const payer = held === null || held >= gasMist ? transaction.sender : sponsor;
  const coinId = gasCoinOf(state, payer);
  transaction.gas = { payer, coinId, used: gasUsed };
  if (coinId !== null && !state.holdings.has(payer)) {
    const owner = ownedBy(payer);
    recordObject(transaction, { objectId: coinId, objectType: coinTypeOf(suiCoinType), before: owner, after: owner });
  }
  takeCoins(state, transaction, { address: payer, coinType: suiCoinType, amount: gasMist });
}

const gasCoins = new WeakMap<WorldState, Map<string, string>>();

/** An address whose balances are not tracked always pays with the same coin. */
function gasCoinOf(state: WorldState, payer: string): string | null {
  const holdings = state.holdings.get(payer);
  if (holdings) return holdings.get(suiCoinType)?.coinObjects[0]?.id ?? null;
  const known = gasCoins.get(state) ?? new Map<string, string>();
  gasCoins.set(state, known);
  const coinId = known.get(payer) ?? addressFrom(`gas-coin/${payer}`);
  known.set(payer, coinId);
  return coinId;
}

/** The object type of coins of this type. */
export function coinTypeOf(coinType: string): string {
  return `${coinStruct}<${coinType}>`;
}
