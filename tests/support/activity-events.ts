import {
  type ActivityBatch,
  type ActivityEvent,
  byTime,
  type FoundCollection,
  type TrackedCollection,
} from '../../src/market/contract.ts';
import type { OwnRocks } from '../../src/market/rocks-contract.ts';
import type { Settings } from '../../src/telegram/configs/settings.ts';
import type { ConfigurationRules, PlanInput } from '../../src/telegram/notify/rules/plan-deliveries.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** The current time in these tests. */
export const storyNow = new Date('2026-11-20T12:00:00.000Z');
export const minutesAgo = (minutes: number): Date => new Date(storyNow.getTime() - minutes * minuteMs);

export const mist = (sui: number): bigint => BigInt(Math.round(sui * 1_000_000_000));
export const someAddress = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
export const someDigest = (number: number): string => `1${'A'.repeat(30)}${number}`.replaceAll('0', 'Z');

/** The NFT of an event. */
type Nft = Pick<ActivityEvent, 'nftObjectId' | 'nftName' | 'nftImageUrl' | 'nftRank'>;
export const noNft: Nft = { nftObjectId: null, nftName: null, nftImageUrl: null, nftRank: null };
export const someNft = (number: number, given: Partial<Nft> = {}): Nft => ({
  nftObjectId: someAddress(1000 + number),
  nftName: `Sui Rock #${number}`,
  nftImageUrl: `https://images.example/${number}.png`,
  nftRank: null,
  ...given,
});
export const nftOf = ({ nftObjectId, nftName, nftImageUrl, nftRank }: ActivityEvent): Nft => ({
  nftObjectId,
  nftName,
  nftImageUrl,
  nftRank,
});

export const someEvent = (id: number, given: Partial<ActivityEvent> = {}): ActivityEvent => ({
  id: BigInt(id),
  trackedCollectionId: 1n,
  kind: 'sale',
  type: 'buy',
  transactionDigest: someDigest(id),
  ...someNft(id),
  priceMist: mist(14.56),
  foreignCoinType: null,
  foreignRawAmount: null,
  buyer: someAddress(0x52d0),
  seller: someAddress(0xc41e),
  marketName: 'tradeport',
  happenedAt: minutesAgo(1),
  ...given,
});

export const someCollection = (given: Partial<TrackedCollection> = {}): TrackedCollection => ({
  id: 1n,
  marketId: 'market-1',
  slug: `${someAddress(0x77)}::rocks::Nft`,
  name: 'Sui Rocks',
  imageUrl: 'https://images.example/collection.png',
  isVerified: true,
  floorMist: mist(13),
  mintedCount: 412,
  ownerCount: 200,
  listedCount: 38,
  lastCheckedAt: minutesAgo(0.5),
  lastSucceededAt: minutesAgo(0.5),
  failingSince: null,
  ...given,
});

export const someFound = (given: Partial<FoundCollection> = {}): FoundCollection => ({
  marketId: 'market-1',
  slug: `${someAddress(0x77)}::rocks::Nft`,
  name: 'Sui Rocks',
  imageUrl: 'https://images.example/collection.png',
  isVerified: true,
  mintedCount: 412,
  floorMist: mist(13),
  maxSupply: 555,
  ...given,
});

/** The product's own collection, before any of it is read. */
export const unreadRocks: OwnRocks = {
  supply: 555,
  find: () => undefined,
  pageOfRock: (number) => `https://rocks.example/rocks/${number}`,
  pageOfHolder: (address) => `https://rocks.example/holders/${address}`,
  pageOf: () => null,
};

/** What a new group has (rulings R4). */
export const newSettings: Settings = {
  trackMint: true,
  trackSales: true,
  trackListings: true,
  trackBids: true,
  minPriceMist: null,
  listingsAtFloorOnly: false,
  quietHours: null,
  recapMinute: null,
  timeZone: 'UTC',
};

/** One poll of the sample collection, planned for one group. */
export const somePlan = (
  events: readonly ActivityEvent[],
  given: {
    readonly rules?: Partial<ConfigurationRules>;
    readonly batch?: Partial<ActivityBatch>;
    readonly now?: Date;
    /** By default all earlier listings. */
    readonly postedListingIds?: ReadonlySet<bigint>;
  } = {},
): PlanInput => ({
  rules: { ...newSettings, maxSupply: 555, mintedCount: 400, ...given.rules },
  batch: {
    collection: someCollection(),
    floorBeforeMist: mist(13),
    events: events.toSorted(byTime),
    transfers: [],
    earlierListings: [],
    earlierMintCount: 0,
    gapMs: 35_000,
    hasMore: false,
    ...given.batch,
  },
  postedListingIds: given.postedListingIds ?? new Set(given.batch?.earlierListings?.map(({ id }) => id)),
  now: given.now ?? storyNow,
  usdPerSui: '3.5',
  explorerUrl: 'https://explorer.example/mainnet',
  rocks: unreadRocks,
});

/** Sorts ids. */
export const byValue = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
