import type { ServiceFaults } from '../faults/fault-board.ts';
import { kiosksOf, nftsOfOwner } from '../world/ownership.ts';
import type { WorldControl } from '../world/control.ts';
import type { ActionRow, Collection, Nft, WorldState } from '../world/state.ts';
import { coinObjectTotal } from '../world/tokens.ts';
import { activeListing } from '../world/trading.ts';
import type { Machinery } from './sandbox-commands.ts';

export type ServiceSummary = ServiceFaults & { name: string; count: number; inFlight: number; maxInFlight: number };
export type TokenSummary = {
  coinType: string;
  symbol: string | null;
  decimals: number | null;
  rawBalance: bigint;
  coinBalance: bigint;
  addressBalance: bigint;
  priceUsd: string | null;
  confidence: number | null;
};
export type NftSummary = { id: string; name: string; collection: string; place: string; listedAtMist: bigint | null };
export type CollectionSummary = {
  collection: Collection;
  floorMist: bigint | null;
  supply: number;
  ownerCount: number;
  listedCount: number;
};
export type ActivitySummary = ActionRow & { subject: string };

/** What the console page shows: the outside world at a glance. */
export type Summary = {
  treasuryAddress: string;
  collectionType: string;
  services: ServiceSummary[];
  tokens: TokenSummary[];
  nfts: NftSummary[];
  kioskCount: number;
  collections: CollectionSummary[];
  activity: ActivitySummary[];
  livingMarket: boolean;
};

const shownActivity = 24;

export function summaryOf(world: WorldControl, machinery: Machinery): Summary {
  const { state } = world;
  const collections = [...state.collections.values()].map((collection) => ({
    collection,
    ...world.facts(collection.key),
  }));
  return {
    treasuryAddress: state.treasuryAddress,
    collectionType: state.collections.get(state.ownCollectionKey)?.nftType ?? '',
    services: machinery.faults.services().map((name) => {
      const { faults, latencyMs } = machinery.faults.of(name);
      const { count, inFlight, maxInFlight } = machinery.requests.of(name);
      return { name, faults, latencyMs, count, inFlight, maxInFlight };
    }),
    tokens: tokensOf(state),
    nfts: nftsOfOwner(state, state.treasuryAddress).map((nft) => nftSummary(state, nft)),
    kioskCount: kiosksOf(state, state.treasuryAddress).length,
    collections,
    activity: state.actions
      .slice(-shownActivity)
      .toReversed()
      .map((action) => ({ ...action, subject: subjectOf(state, action) })),
    livingMarket: machinery.livingMarket.isRunning(),
  };
}

function tokensOf(state: WorldState): TokenSummary[] {
  return [...(state.holdings.get(state.treasuryAddress) ?? [])].map(([coinType, holding]) => {
    const metadata = state.coins.get(coinType)?.metadata ?? null;
    const price = state.prices.get(coinType);
    const coinBalance = coinObjectTotal(holding);
    return {
      coinType,
      symbol: metadata?.symbol ?? null,
      decimals: metadata?.decimals ?? null,
      rawBalance: coinBalance + holding.addressBalance,
      coinBalance,
      addressBalance: holding.addressBalance,
      priceUsd: price?.priceUsd ?? null,
      confidence: price?.confidence ?? null,
    };
  });
}

function nftSummary(state: WorldState, nft: Nft): NftSummary {
  const kiosk = nft.place.kind === 'kiosk' ? state.kiosks.get(nft.place.kioskId) : undefined;
  return {
    id: nft.id,
    name: nft.name,
    collection: nft.collectionKey,
    place: kiosk?.capKind ?? nft.place.kind,
    listedAtMist: activeListing(state, nft.id)?.priceMist ?? null,
  };
}

function subjectOf(state: WorldState, action: ActionRow): string {
  const nft = action.nftId === null ? undefined : state.nfts.get(action.nftId);
  return nft?.name ?? state.collections.get(action.collectionKey)?.title ?? action.collectionKey;
}
