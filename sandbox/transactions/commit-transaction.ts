import type { SignedBytes } from '../world/execution.ts';
import { recordAction } from '../world/ledger.ts';
import { holdingOf } from '../world/moving-coins.ts';
import { findNft } from '../world/ownership.ts';
import type { ChainTransaction, WorldContext, WorldState } from '../world/state.ts';
import { nextSequence } from '../world/state.ts';
import type { CoinWrite, Execution, NftWrite } from './run-transaction.ts';

/** Applies a transaction's changes to the world and adds it to the ledger. */
export function commitTransaction(
  world: WorldContext,
  { transaction, coins, nfts }: Execution,
  signed: SignedBytes,
): ChainTransaction {
  const { state } = world;
  // The sequence stays ahead of every version, so that the world's next write is newer than this one.
  nextSequence(state);
  transaction.signed = signed;
  for (const write of coins) applyCoin(state, write, transaction.digest);
  for (const { address, coinType, amount } of transaction.accumulatorChanges) {
    const holding = holdingOf(state, address, coinType);
    if (holding) holding.addressBalance += amount;
  }
  state.transactions.push(transaction);
  for (const write of nfts) moveNft(world, transaction, write);
  return transaction;
}

function applyCoin(state: WorldState, { objectId, coinType, before, after }: CoinWrite, lastDigest: string): void {
  const from = before && holdingOf(state, before.owner, coinType);
  const to = after && holdingOf(state, after.owner, coinType);
  const coin = after && { id: objectId, amount: after.amount, version: after.version, lastDigest };
  const place = from?.coinObjects.findIndex(({ id }) => id === objectId) ?? -1;
  if (from && coin && from === to && place >= 0) {
    from.coinObjects[place] = coin;
    return;
  }
  if (from && place >= 0) from.coinObjects.splice(place, 1);
  if (to && coin) to.coinObjects.push(coin);
}

function moveNft(world: WorldContext, transaction: ChainTransaction, { nft: { objectId, owner }, to }: NftWrite): void {
  const nft = findNft(world.state, objectId);
  nft.place = { kind: 'wallet', address: to };
  nft.version = transaction.version;
  nft.lastDigest = transaction.digest;
  if (to === owner) return;
  const { collectionKey } = nft;
  recordAction(world, transaction, {
    type: 'transfer',
    collectionKey,
    nftId: objectId,
    priceMist: null,
    sender: owner,
    receiver: to,
    marketName: null,
  });
}
