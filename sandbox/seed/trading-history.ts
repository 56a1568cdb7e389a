import { acceptBid, bid, cancelBid, collectionBid } from '../world/bidding.ts';
import { transfer } from '../world/minting.ts';
import { nftsOfCollection, ownerOf } from '../world/ownership.ts';
import type { Random } from '../world/random.ts';
import type { Nft } from '../world/state.ts';
import { activeListing, buy, list, relist, unlist } from '../world/trading.ts';
import type { Holder, SeedClock } from './population.ts';

const mistPerCentiSui = 10_000_000n;

/** A price in MIST around a level given in hundredths of a SUI. */
function around(levelCentiSui: number, random: Random): bigint {
  return BigInt(Math.round(levelCentiSui * (1 + random.next() * 0.9))) * mistPerCentiSui;
}

type Market = { collection: string; levelCentiSui: number; listed: number; sold: number };

/** Creates a collection's past: sales, a few unlisted and relisted NFTs, and listings that are still active. */
export function tradeCollection(clock: SeedClock, holders: readonly Holder[], random: Random, market: Market): void {
  const { world } = clock;
  const treasury = world.state.treasuryAddress;
  const candidates = random
    .shuffle(nftsOfCollection(world.state, market.collection))
    .filter((nft) => ownerOf(world.state, nft) !== treasury);
  const sold = candidates.slice(0, market.sold);
  for (const nft of sold) {
    clock.passHours(1.7);
    list(world, { nftId: nft.id, priceMist: around(market.levelCentiSui, random) });
    clock.passHours(0.4);
    const buyer = random.pick(holders.filter((holder) => holder.address !== ownerOf(world.state, nft)));
    buy(world, { nftId: nft.id, buyer: buyer.address, into: buyer.into });
  }
  const stillListed = candidates.slice(market.sold, market.sold + market.listed);
  for (const nft of stillListed) listNow(clock, nft, market, random);
  // Stale rows: listed once, unlisted since.
  for (const nft of candidates.slice(market.sold + market.listed, market.sold + market.listed + 4)) {
    listNow(clock, nft, market, random);
    unlist(world, { nftId: nft.id });
  }
}

function listNow(clock: SeedClock, nft: Nft, market: Market, random: Random): void {
  clock.passHours(0.9);
  const priceMist = around(market.levelCentiSui, random);
  list(clock.world, { nftId: nft.id, priceMist });
  if (random.next() < 0.2) relist(clock.world, { nftId: nft.id, priceMist: priceMist + 50n * mistPerCentiSui });
}

/** Creates bids of every kind: active, expired, cancelled, inactive and accepted. */
export function seedBids(clock: SeedClock, holders: readonly Holder[], random: Random, market: Market): void {
  const { world } = clock;
  const startedAtMs = world.state.startedAtMs;
  const level = BigInt(market.levelCentiSui) * mistPerCentiSui;
  const farFuture = Date.UTC(2099, 0, 1);
  const bidder = (): string => random.pick(holders).address;
  const onAll = { collection: market.collection };
  collectionBid(world, {
    ...onAll,
    bidder: bidder(),
    priceMist: (level * 80n) / 100n,
    count: 3,
    expiresAtMs: farFuture,
  });
  collectionBid(world, { ...onAll, bidder: bidder(), priceMist: (level * 72n) / 100n, expiresAtMs: null });
  // Higher than every active bid but expired: it must not count.
  collectionBid(world, { ...onAll, bidder: bidder(), priceMist: level * 2n, expiresAtMs: startedAtMs - 86_400_000 });
  const inactive = collectionBid(world, { ...onAll, bidder: bidder(), priceMist: level * 3n, expiresAtMs: farFuture });
  inactive.status = 'inactive';
  const cancelled = collectionBid(world, { ...onAll, bidder: bidder(), priceMist: level, expiresAtMs: farFuture });
  cancelBid(world, { bidId: cancelled.id });
  const nfts = nftsOfCollection(world.state, market.collection).filter(
    (nft) => !activeListing(world.state, nft.id) && ownerOf(world.state, nft) !== world.state.treasuryAddress,
  );
  const [first, second] = nfts;
  if (!first || !second) return;
  clock.passHours(0.5);
  bid(world, { nftId: first.id, bidder: bidder(), priceMist: (level * 95n) / 100n, expiresAtMs: farFuture });
  const taken = bid(world, { nftId: second.id, bidder: bidder(), priceMist: (level * 97n) / 100n });
  acceptBid(world, { bidId: taken.id });
  transfer(world, { nftId: first.id, ...random.pick(holders) });
}
