import { ownedBy, recordNew, recordObject, shared } from './changes.ts';
import { addressFrom } from './derived-ids.ts';
import { epochOf } from './epochs.ts';
import { execute, newestCheckpoint } from './ledger.ts';
import { stakeEvent, stakingPool, swapEvent } from './market-events.ts';
import { type CoinPlace, giveCoins, moveCoins, requireFunds, stranger, takeCoins } from './moving-coins.ts';
import type { ChainTransaction, WorldContext } from './state.ts';
import { Impossible } from './state.ts';
import { canonicalAddress, canonicalType, poolTypeOf, stakedSuiType, suiCoinType } from './sui-names.ts';

/** Treasury coin operations. Amounts are base units; an omitted side is the treasury, or a stranger as its counterpart. */

function knownCoin({ state }: WorldContext, coinType: string): string {
  const known = canonicalType(coinType);
  if (!state.coins.has(known)) throw new Impossible(`No such coin: ${known}. Add it first.`);
  return known;
}

export type Pay = { from?: string; to: string; coinType: string; amount: bigint };

/** Sends coins to an address, as a coin object. */
export function pay(world: WorldContext, wanted: Pay): ChainTransaction {
  return payout(world, { ...wanted, recipients: [wanted.to], amountEach: wanted.amount });
}

export type Payout = { from?: string; recipients: string[]; coinType: string; amountEach: bigint };

/** Sends the same amount to many recipients in one transaction, as one coin object each. */
export function payout(world: WorldContext, wanted: Payout): ChainTransaction {
  const { state } = world;
  const from = canonicalAddress(wanted.from ?? state.treasuryAddress);
  const recipients = wanted.recipients.map(canonicalAddress);
  const coinType = knownCoin(world, wanted.coinType);
  requireFunds(state, { address: from, coinType, amount: wanted.amountEach * BigInt(recipients.length) });
  const transaction = execute(world, from);
  for (const to of recipients) moveCoins(state, transaction, { from, to, coinType, amount: wanted.amountEach });
  return transaction;
}

export type Receive = {
  from?: string;
  to?: string;
  coinType: string;
  amount: bigint;
  into?: CoinPlace;
};

/** Receives coins that another address sends. */
export function receive(world: WorldContext, wanted: Receive): ChainTransaction {
  const { state } = world;
  const from = canonicalAddress(wanted.from ?? stranger);
  const to = canonicalAddress(wanted.to ?? state.treasuryAddress);
  const coinType = knownCoin(world, wanted.coinType);
  requireFunds(state, { address: from, coinType, amount: wanted.amount });
  const transaction = execute(world, from);
  moveCoins(state, transaction, { from, to, coinType, amount: wanted.amount, into: wanted.into ?? 'coin' });
  return transaction;
}

export type Swap = { owner?: string; fromCoin: string; amountIn: bigint; toCoin: string; amountOut: bigint };

/**
 * Swaps one coin for another through the pool of the two. A pool's coins belong to no address: as on the real chain, only the
 * trader's balances change, and the pool is a shared object that was written.
 */
export function swap(world: WorldContext, wanted: Swap): ChainTransaction {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  const [fromCoin, toCoin] = [knownCoin(world, wanted.fromCoin), knownCoin(world, wanted.toCoin)];
  if (fromCoin === toCoin) throw new Impossible('A coin cannot be swapped for itself');
  requireFunds(state, { address, coinType: fromCoin, amount: wanted.amountIn });
  const [coinA, coinB] = [fromCoin, toCoin].toSorted();
  const pool = addressFrom(`pool/${coinA}/${coinB}`);
  const transaction = execute(world, address, [
    swapEvent({ pool, amount_in: String(wanted.amountIn), amount_out: String(wanted.amountOut), fromCoin, toCoin }),
  ]);
  recordObject(transaction, {
    objectId: pool,
    objectType: poolTypeOf(coinA ?? '', coinB ?? ''),
    before: shared,
    after: shared,
  });
  takeCoins(state, transaction, { address, coinType: fromCoin, amount: wanted.amountIn });
  giveCoins(state, transaction, { address, coinType: toCoin, amount: wanted.amountOut });
  return transaction;
}

/** Stakes SUI with a validator; the owner gets an object, not a balance. */
export function stake(world: WorldContext, wanted: { owner?: string; amount: bigint }): ChainTransaction {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  requireFunds(state, { address, coinType: suiCoinType, amount: wanted.amount });
  const transaction = execute(world, address, [stakeEvent(address, wanted.amount)]);
  takeCoins(state, transaction, { address, coinType: suiCoinType, amount: wanted.amount });
  const id = addressFrom(`staked/${transaction.digest}`);
  const { digest: lastDigest, version, timestampMs } = transaction;
  // A stake earns rewards from the next epoch on.
  const activationEpoch = epochOf(timestampMs) + 1n;
  const stake = {
    id,
    owner: address,
    poolId: stakingPool,
    activationEpoch,
    amount: wanted.amount,
    version,
    lastDigest,
  };
  state.stakes.set(id, stake);
  recordNew(transaction, { objectId: id, objectType: stakedSuiType, owner: ownedBy(address), version });
  return transaction;
}

/** From now on the full node has nothing older than this checkpoint; the archive keeps everything. */
export function prune(world: WorldContext, wanted: { checkpoint: number }): void {
  if (wanted.checkpoint > newestCheckpoint(world)) throw new Impossible('That checkpoint does not exist yet');
  world.state.firstKeptCheckpoint = wanted.checkpoint;
}
