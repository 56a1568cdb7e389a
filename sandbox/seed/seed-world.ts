import type { TreasuryKeys } from '../wallets/people.ts';
import { treasuryPerson } from '../wallets/people.ts';
import { seedPeople } from '../wallets/seed-people.ts';
import { addressFrom } from '../world/derived-ids.ts';
import type { Random } from '../world/random.ts';
import { createRandom } from '../world/random.ts';
import { firstReferenceGasPriceMist } from '../transactions/protocol-limits.ts';
import type { WorldContext, WorldState } from '../world/state.ts';
import { seedCollections } from './collections.ts';
import type { Holder, SeedClock } from './population.ts';
import { mintFrom, mintOver, pickMinters, seedHolders } from './population.ts';
import { sweepStory } from './sweeps.ts';
import { seedBids, tradeCollection } from './trading-history.ts';
import { seedMoreNfts, seedTreasuryNfts } from './treasury-nfts.ts';
import type { Chapter } from './treasury-story.ts';
import { treasuryStory } from './treasury-story.ts';
import { seedMoreTokens, seedTreasuryTokens, settleTreasury } from './treasury-tokens.ts';

/** The options of a seeded world. The same options always produce the same world. */
export type SeedOptions = {
  /** Any integer; a different one produces a different past. */
  seed?: number;
  /** The instant at which the seeded past ends. Omitted: midnight ten days ago. */
  startedAt?: Date;
  /** The total number of minted rocks, the treasury's included. */
  mintedRocks?: number;
  /** A big treasury for measurements; the numbers are totals of its holdings. */
  treasury?: { coinTypes: number; nfts: number; kiosks: number };
  /** The keys that sign for the treasury and determine its address. By default a single key. */
  treasuryKeys?: TreasuryKeys;
};

const defaults = { seed: 555, mintedRocks: 412 };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const daysOfPast = 425;
/** Enough hours for all market events below; if a seed needs more, its clock stops at the start time. */
const marketHours = 237;
const storyDays = 414;
const treasuryRocks = 6;
/** The treasury's purchases use their own random stream, so that they do not change the market's. */
const treasurySeed = 1_000_003;

/** Midnight (UTC) ten days ago: on every day, the past is equally old. */
export function endOfPast(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - 10) * dayMs);
}

/** Builds the world by running its past through the operations of the control interface. */
export function seedWorld(options: SeedOptions = {}): WorldState {
  const { seed, startedAt, mintedRocks } = { ...defaults, startedAt: endOfPast(new Date()), ...options };
  const random = createRandom(seed);
  const state = emptyState(startedAt, treasuryPerson(options.treasuryKeys ?? 'single').address);
  const beganAtMs = startedAt.getTime() - daysOfPast * dayMs;
  let atMs = beganAtMs;
  const world: WorldContext = { state, now: () => new Date(Math.min(atMs, startedAt.getTime())) };
  const clock: SeedClock = { world, passHours: (hours) => (atMs += hours * hourMs) };
  const holders = seedHolders();

  seedTreasuryTokens(world);
  const chapters = [
    ...treasuryStory(mintedRocks),
    { day: 0.5, happen: seedTreasuryNfts },
    ...mintStory(mintedRocks, holders, random),
    ...sweepStory(holders, createRandom(seed + treasurySeed)),
  ];
  for (const { day, happen } of chapters.toSorted((one, other) => one.day - other.day)) {
    atMs = Math.round(beganAtMs + day * dayMs);
    happen(world);
  }
  atMs = startedAt.getTime() - marketHours * hourMs;
  const markets = [
    { collection: 'lava-lizards', levelCentiSui: 1840, listed: 14, sold: 12 },
    { collection: 'cave-bats', levelCentiSui: 420, listed: 11, sold: 10 },
    { collection: 'glow-worms', levelCentiSui: 90, listed: 5, sold: 3 },
    { collection: 'rocks', levelCentiSui: 1180, listed: 38, sold: 46 },
  ];
  for (const market of markets) {
    tradeCollection(clock, holders, random, market);
    seedBids(clock, holders, random, market);
  }
  seedPeople(clock);
  if (options.treasury) {
    seedMoreTokens(world, options.treasury.coinTypes, random);
    seedMoreNfts(world, options.treasury, random);
    settleTreasury(world);
  }
  return state;
}

/** Other collections mint in the first weeks; the own collection mints over the whole past. */
function mintStory(mintedRocks: number, holders: readonly Holder[], random: Random): Chapter[] {
  const minters = (count: number): Holder[] => pickMinters(count, holders, random);
  return [
    ...mintOver(storyDays, 'rocks', minters(mintedRocks - treasuryRocks)),
    ...mintFrom(1, 'lava-lizards', minters(150), 1.7),
    ...mintFrom(14, 'cave-bats', minters(120), 1.7),
    ...mintFrom(25, 'glow-worms', minters(60), 1.7),
    ...mintFrom(31, 'prime-boulders', minters(12), 1.7),
  ];
}

function emptyState(startedAt: Date, treasuryAddress: string): WorldState {
  return {
    network: 'mainnet',
    startedAtMs: startedAt.getTime(),
    treasuryAddress,
    ownCollectionKey: 'rocks',
    coins: new Map(),
    prices: new Map(),
    holdings: new Map([[treasuryAddress, new Map()]]),
    collections: new Map(seedCollections().map((collection) => [collection.key, collection])),
    nfts: new Map(),
    kiosks: new Map(),
    stakes: new Map(),
    listings: [],
    bids: [],
    actions: [],
    transactions: [],
    firstKeptCheckpoint: 0,
    names: [
      { name: 'suirocks.sui', address: treasuryAddress, expiresAtMs: Date.UTC(2099, 0, 1) },
      { name: 'oldbone.sui', address: addressFrom('holder/0'), expiresAtMs: Date.UTC(2024, 0, 1) },
    ],
    acceptedZkLogins: new Set(),
    burnedNfts: new Map(),
    referenceGasPriceMist: firstReferenceGasPriceMist,
    missedByIndexer: new Set(),
    people: new Set(),
    lateAtIndexer: new Map(),
    sequence: 0,
    idMark: '',
  };
}
