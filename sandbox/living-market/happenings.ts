import { knownCoins } from '../seed/coins.ts';
import { seedHolders } from '../seed/population.ts';
import type { WorldControl } from '../world/control.ts';
import { nftsOfCollection, ownerOf } from '../world/ownership.ts';
import type { Random } from '../world/random.ts';
import type { BidRow, ListingRow, Nft } from '../world/state.ts';
import { activeListing } from '../world/trading.ts';

/** One kind of market event; `happen` returns false when it was not possible. */
export type Happening = { name: string; weight: number; happen: (world: WorldControl, random: Random) => boolean };

const holders = seedHolders();
const centiSui = 10_000_000n;
const bidLastsMs = 3 * 86_400_000;

function pickCollection(random: Random): string {
  return random.pick(['rocks', 'rocks', 'rocks', 'lava-lizards', 'cave-bats', 'glow-worms']);
}

/** The treasury and the named people do not trade: only control operations and minting income change their holdings. */
function isTrader({ state }: WorldControl, address: string): boolean {
  return address !== state.treasuryAddress && !state.people.has(address);
}

function tradable(world: WorldControl, collection: string): Nft[] {
  const { state } = world;
  return nftsOfCollection(state, collection).filter((nft) => isTrader(world, ownerOf(state, nft)));
}

function activeListings(world: WorldControl, collection: string): ListingRow[] {
  const { listings } = world.state;
  return listings.filter((row) => row.listed && row.collectionKey === collection && isTrader(world, row.seller));
}

function openBids(world: WorldControl): BidRow[] {
  const nowMs = world.now().getTime();
  return world.state.bids.filter(
    (row) => row.status === 'active' && (row.expiresAtMs === null || row.expiresAtMs > nowMs),
  );
}

/** A price near the floor: most sellers ask more, a few undercut it. */
function askingPrice(world: WorldControl, collection: string, random: Random): bigint {
  const floor = world.facts(collection).floorMist ?? 1000n * centiSui;
  const percent = BigInt(random.next() < 0.2 ? 94 + random.below(6) : 101 + random.below(80));
  return ((floor * percent) / 100n / centiSui) * centiSui;
}

function mint(world: WorldControl, random: Random): boolean {
  world.mint({ ...random.pick(holders) });
  return true;
}

function list(world: WorldControl, random: Random): boolean {
  const collection = pickCollection(random);
  const unlisted = tradable(world, collection).filter((nft) => !activeListing(world.state, nft.id));
  if (unlisted.length === 0) return false;
  world.list({ nftId: random.pick(unlisted).id, priceMist: askingPrice(world, collection, random) });
  return true;
}

function buy(world: WorldControl, random: Random): boolean {
  const rows = activeListings(world, pickCollection(random));
  // Buyers choose among the cheapest; the last four listings stay so that a floor remains.
  const cheapest = rows.toSorted((one, other) => Number((one.priceMist ?? 0n) - (other.priceMist ?? 0n))).slice(0, 4);
  if (rows.length < 5) return false;
  const row = random.pick(cheapest);
  const buyer = random.pick(holders.filter((holder) => holder.address !== row.seller));
  world.buy({ nftId: row.nftId, buyer: buyer.address, into: buyer.into });
  return true;
}

function relist(world: WorldControl, random: Random): boolean {
  const collection = pickCollection(random);
  const rows = activeListings(world, collection);
  if (rows.length === 0) return false;
  world.relist({ nftId: random.pick(rows).nftId, priceMist: askingPrice(world, collection, random) });
  return true;
}

function unlist(world: WorldControl, random: Random): boolean {
  const rows = activeListings(world, pickCollection(random));
  if (rows.length < 8) return false;
  world.unlist({ nftId: random.pick(rows).nftId });
  return true;
}

function bidPrice(world: WorldControl, collection: string, random: Random): bigint {
  const floor = world.facts(collection).floorMist ?? 1000n * centiSui;
  return ((floor * BigInt(60 + random.below(36))) / 100n / centiSui) * centiSui;
}

function bid(world: WorldControl, random: Random): boolean {
  const collection = pickCollection(random);
  const nfts = tradable(world, collection);
  if (nfts.length === 0) return false;
  const terms = {
    bidder: random.pick(holders).address,
    priceMist: bidPrice(world, collection, random),
    expiresAtMs: world.now().getTime() + bidLastsMs,
  };
  if (random.next() < 0.4) world.collectionBid({ ...terms, collection, count: 1 + random.below(3) });
  else world.bid({ ...terms, nftId: random.pick(nfts).id });
  return true;
}

function acceptBid(world: WorldControl, random: Random): boolean {
  const bids = openBids(world).filter((row) => row.type === 'solo');
  if (bids.length === 0) return false;
  const row = random.pick(bids);
  const nft = row.nftId === null ? undefined : world.state.nfts.get(row.nftId);
  const owner = nft && ownerOf(world.state, nft);
  if (owner === undefined || owner === row.bidder || !isTrader(world, owner)) return false;
  world.acceptBid({ bidId: row.id });
  return true;
}

/** Moves a price by at most half a per cent, within eight per cent of the seeded price. */
function movePrice(world: WorldControl, random: Random): boolean {
  const coin = random.pick(knownCoins.filter((each) => !each.priceUsd.startsWith('0.99')));
  const current = [...world.state.prices.values()].find((each) => each.coinType.endsWith(coin.coinType.slice(3)));
  if (!current) return false;
  const seeded = Number(coin.priceUsd);
  const moved = Number(current.priceUsd) * (1 + (random.next() - 0.5) / 100);
  const held = Math.min(seeded * 1.08, Math.max(seeded * 0.92, moved));
  world.setPrice({ coinType: coin.coinType, priceUsd: held.toPrecision(6) });
  return true;
}

export const happenings: readonly Happening[] = [
  { name: 'mint', weight: 3, happen: mint },
  { name: 'list', weight: 7, happen: list },
  { name: 'buy', weight: 5, happen: buy },
  { name: 'relist', weight: 2, happen: relist },
  { name: 'unlist', weight: 1, happen: unlist },
  { name: 'bid', weight: 5, happen: bid },
  { name: 'accept-bid', weight: 1, happen: acceptBid },
  { name: 'price', weight: 6, happen: movePrice },
];
