import type { SeedOptions } from '../seed/seed-world.ts';
import { endOfPast, seedWorld } from '../seed/seed-world.ts';
import { addCollections, burst, repeatAction, reportAction } from './activity-rows.ts';
import { setBalance } from './balances.ts';
import { acceptBid, bid, cancelBid, collectionBid } from './bidding.ts';
import { collectionFacts } from './collection-facts.ts';
import { burn, mint, transfer } from './minting.ts';
import { addKioskCap, createKiosk, findCollection, findNft, handOverKiosk } from './ownership.ts';
import { pay, payout, prune, receive, stake, swap } from './paying.ts';
import { spam } from './spam.ts';
import type { CollectionDisplay, FloorRule, Nft, WorldContext } from './state.ts';
import { addCoin, setPrice } from './tokens.ts';
import { buy, list, relist, unlist } from './trading.ts';

/** Sets a collection's floor at the marketplace: computed from listings, or fixed (null: none). */
function setFloorRule(world: WorldContext, wanted: { collection: string; rule: FloorRule }): void {
  findCollection(world.state, wanted.collection).floorRule = wanted.rule;
}

/** Sets whether the marketplace shows a collection as verified. */
function setVerified(world: WorldContext, wanted: { collection: string; verified: boolean }): void {
  findCollection(world.state, wanted.collection).verified = wanted.verified;
}

/** Gives an NFT another picture: a path of the console (`/image/odd/…`), any full URL, or none. */
function setImage(world: WorldContext, wanted: { nftId: string; image: string | null }): Nft {
  const nft = findNft(world.state, wanted.nftId);
  nft.imagePath = wanted.image;
  return nft;
}

/** Sets how the node renders a collection's NFTs, optionally with odd fields and errors. */
function setDisplay(world: WorldContext, { collection, ...display }: CollectionDisplay & { collection: string }): void {
  findCollection(world.state, collection).display = display;
}

const operations = {
  addCoin,
  setBalance,
  setPrice,
  setFloorRule,
  setVerified,
  setImage,
  setDisplay,
  createKiosk,
  handOverKiosk,
  addKioskCap,
  mint,
  burn,
  transfer,
  list,
  unlist,
  relist,
  buy,
  bid,
  collectionBid,
  acceptBid,
  cancelBid,
  reportAction,
  repeatAction,
  burst,
  addCollections,
  pay,
  payout,
  receive,
  swap,
  stake,
  spam,
  prune,
} as const;

type Operations = typeof operations;

/** All operations, bound to one world; each throws Impossible when it cannot be done. Amounts are base units. */
export type WorldControl = {
  [Name in keyof Operations]: (wanted: Parameters<Operations[Name]>[1]) => ReturnType<Operations[Name]>;
} & {
  /** The live state: read only; change it through the operations. */
  readonly state: WorldContext['state'];
  facts: (collection: string) => ReturnType<typeof collectionFacts>;
  /** The sandbox's own clock. */
  now: () => Date;
  /** Restores the seed. */
  reset: () => void;
};

export type World = { context: WorldContext; control: WorldControl };

/**
 * A world from its seed, and the operations on it. With a run mark, everything after the seed's past gets ids that no run with
 * another mark produces, nor this run before a reset. Without one (empty), the same operations produce the same ids.
 */
export function createWorld(seed: SeedOptions, now: () => Date, runMark = ''): World {
  const startedAt = endOfPast(now());
  let beginnings = 0;
  const begin = (): WorldContext['state'] => {
    beginnings += 1;
    return { ...seedWorld({ startedAt, ...seed }), idMark: runMark === '' ? '' : `${runMark}/${beginnings}` };
  };
  const context: WorldContext = { state: begin(), now };
  const control: WorldControl = {
    addCoin: (wanted) => addCoin(context, wanted),
    setBalance: (wanted) => setBalance(context, wanted),
    setPrice: (wanted) => setPrice(context, wanted),
    setFloorRule: (wanted) => setFloorRule(context, wanted),
    setVerified: (wanted) => setVerified(context, wanted),
    setImage: (wanted) => setImage(context, wanted),
    setDisplay: (wanted) => setDisplay(context, wanted),
    createKiosk: (wanted) => createKiosk(context, wanted),
    handOverKiosk: (wanted) => handOverKiosk(context, wanted),
    addKioskCap: (wanted) => addKioskCap(context, wanted),
    mint: (wanted) => mint(context, wanted),
    burn: (wanted) => burn(context, wanted),
    transfer: (wanted) => transfer(context, wanted),
    list: (wanted) => list(context, wanted),
    unlist: (wanted) => unlist(context, wanted),
    relist: (wanted) => relist(context, wanted),
    buy: (wanted) => buy(context, wanted),
    bid: (wanted) => bid(context, wanted),
    collectionBid: (wanted) => collectionBid(context, wanted),
    acceptBid: (wanted) => acceptBid(context, wanted),
    cancelBid: (wanted) => cancelBid(context, wanted),
    reportAction: (wanted) => reportAction(context, wanted),
    repeatAction: (wanted) => repeatAction(context, wanted),
    burst: (wanted) => burst(context, wanted),
    addCollections: (wanted) => addCollections(context, wanted),
    pay: (wanted) => pay(context, wanted),
    payout: (wanted) => payout(context, wanted),
    receive: (wanted) => receive(context, wanted),
    swap: (wanted) => swap(context, wanted),
    stake: (wanted) => stake(context, wanted),
    spam: (wanted) => spam(context, wanted),
    prune: (wanted) => prune(context, wanted),
    get state() {
      return context.state;
    },
    facts: (collection) => collectionFacts(context.state, findCollection(context.state, collection)),
    now,
    reset: () => {
      context.state = begin();
    },
  };
  return { context, control };
}
