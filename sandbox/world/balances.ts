import { ownedBy, recordAccumulator, recordBalance, recordObject } from './changes.ts';
import { addressFrom } from './derived-ids.ts';
import { execute } from './ledger.ts';
import { coinTypeOf, heldOf, stranger } from './moving-coins.ts';
import type { ChainTransaction, Holding, WorldContext } from './state.ts';
import { Impossible } from './state.ts';
import { canonicalAddress, canonicalType } from './sui-names.ts';

export type SetBalance = {
  /** The treasury by default. */
  owner?: string;
  coinType: string;
  /** Base units in coin objects. */
  coinBalance?: bigint;
  /** Base units in the address balance (accumulator). */
  addressBalance?: bigint;
  /** The number of coin objects that `coinBalance` is split into. */
  coinObjects?: number;
};

/**
 * Sets an owner's balance of one coin, in base units; an omitted part becomes zero. The change is a transaction: the difference
 * comes from a stranger or goes to one.
 */
export function setBalance(world: WorldContext, wanted: SetBalance): Holding {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  const coinType = canonicalType(wanted.coinType);
  if (!state.coins.has(coinType)) throw new Impossible(`No such coin: ${coinType}. Add it first.`);
  const { coinBalance = 0n, addressBalance = 0n } = wanted;
  const holdings = state.holdings.get(address) ?? new Map<string, Holding>();
  state.holdings.set(address, holdings);
  const total = coinBalance + addressBalance;
  const arrives = total >= (heldOf(state, address, coinType) ?? 0n);
  const transaction = execute(world, arrives ? stranger : address);
  // The gas may have been paid in this coin.
  const amount = total - (heldOf(state, address, coinType) ?? 0n);
  const earlier = holdings.get(coinType) ?? { coinObjects: [], addressBalance: 0n };
  const holding: Holding = {
    coinObjects: splitIntoCoins(transaction, { address, coinType }, coinBalance, wanted.coinObjects ?? 1),
    addressBalance,
  };
  holdings.set(coinType, holding);
  recordHolding(transaction, { address, coinType }, earlier, holding);
  if (amount === 0n) return holding;
  recordBalance(transaction, { address, coinType, amount });
  recordBalance(transaction, { address: stranger, coinType, amount: -amount });
  return holding;
}

export type Arrange = { owner?: string; coinType: string; addressBalance: bigint; coinObjects: number };

/** An owner rearranges coins: the given amount goes into the address balance, the rest into `coinObjects` coin objects. */
export function arrangeCoins(world: WorldContext, wanted: Arrange): Holding {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  const coinType = canonicalType(wanted.coinType);
  const transaction = execute(world, address);
  const left = (heldOf(state, address, coinType) ?? 0n) - wanted.addressBalance;
  if (left < 0n) throw new Impossible('The balance is lower than that');
  const earlier = state.holdings.get(address)?.get(coinType) ?? { coinObjects: [], addressBalance: 0n };
  const holding: Holding = {
    coinObjects: splitIntoCoins(transaction, { address, coinType }, left, wanted.coinObjects),
    addressBalance: wanted.addressBalance,
  };
  state.holdings.get(address)?.set(coinType, holding);
  recordHolding(transaction, { address, coinType }, earlier, holding);
  return holding;
}

/** Records created, deleted and changed coin objects, and the change of the address balance. */
function recordHolding(
  transaction: ChainTransaction,
  { address, coinType }: { address: string; coinType: string },
  earlier: Holding,
  later: Holding,
): void {
  const owner = ownedBy(address);
  const objectType = coinTypeOf(coinType);
  const before = new Map(earlier.coinObjects.map(({ id, version }) => [id, version]));
  const after = new Map(later.coinObjects.map(({ id, version }) => [id, version]));
  for (const objectId of new Set([...before.keys(), ...after.keys()])) {
    recordObject(transaction, {
      objectId,
      objectType,
      before: before.has(objectId) ? owner : null,
      after: after.has(objectId) ? owner : null,
      versions: { before: before.get(objectId) ?? null, after: after.get(objectId) ?? null },
    });
  }
  const amount = later.addressBalance - earlier.addressBalance;
  if (amount !== 0n) recordAccumulator(transaction, { address, coinType, amount });
}

function splitIntoCoins(
  { version, digest: lastDigest }: ChainTransaction,
  { address, coinType }: { address: string; coinType: string },
  amount: bigint,
  pieces: number,
): Holding['coinObjects'] {
  if (amount === 0n) return [];
  const share = amount / BigInt(pieces);
  return Array.from({ length: pieces }, (_, index) => ({
    id: addressFrom(`coin/${address}/${coinType}/${index}`),
    amount: index === 0 ? amount - share * BigInt(pieces - 1) : share,
    version,
    lastDigest,
  }));
}
