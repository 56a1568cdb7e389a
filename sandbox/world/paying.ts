import { ownedBy, recordNew, recordObject, shared } from './changes.ts';
import { addressFrom } from './derived-ids.ts';
import { epochOf } from './epochs.ts';
import { execute, newestCheckpoint } from './ledger.ts';
import { stakeEvent, stakingPool, swapEvent } from './market-events.ts';
import { giveCoins, moveCoins, requireFunds, stranger, takeCoins } from './moving-coins.ts';
import type { ChainTransaction, WorldContext } from './state.ts';
import { Impossible } from './state.ts';
import { canonicalAddress, canonicalType, poolTypeOf, stakedSuiType, suiCoinType } from './sui-names.ts';

/** What a treasury does with its coins. Amounts are base units; who is not named is the treasury, or a stranger on the other side. */

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

/** Sends the same to many in one transaction, to each as a coin object of its own. */
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
  into?: 'coin' | 'address-balance';
};

/** Coins arrive from an address that sends them. */
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
 * Coin in, coin out, through the pool of the two. What lies in a pool belongs to no address: as on the chain, only the trader's
 * balances change, and the pool is a shared object that was written.
 */
export function swap(world: WorldContext, wanted: Swap): ChainTransaction {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  const [fromCoin, toCoin] = [knownCoin(world, wanted.fromCoin), knownCoin(world, wanted.toCoin)];
  if (fromCoin === toCoin) throw new Impossible('A coin is not swapped for itself');
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

/** Gives SUI to a validator; what comes back is an object, no balance. */
export function stake(world: WorldContext, wanted: { owner?: string; amount: bigint }): ChainTransaction {
  const { state } = world;
  const address = canonicalAddress(wanted.owner ?? state.treasuryAddress);
  requireFunds(state, { address, coinType: suiCoinType, amount: wanted.amount });
  const transaction = execute(world, address, [stakeEvent(address, wanted.amount)]);
  takeCoins(state, transaction, { address, coinType: suiCoinType, amount: wanted.amount });
  const id = addressFrom(`staked/${transaction.digest}`);
  const { digest: lastDigest, version, timestampMs } = transaction;
  // It earns from the next epoch on.
  const activationEpoch = epochOf(state, timestampMs) + 1n;
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

/** From now on the full node has nothing older than this checkpoint; the archive has all of it. */
export function prune(world: WorldContext, wanted: { checkpoint: number }): void {
  if (wanted.checkpoint > newestCheckpoint(world)) throw new Impossible('That checkpoint has not happened');
  world.state.firstKeptCheckpoint = wanted.checkpoint;
}
