import type { Kysely } from 'kysely';

import { createLeaseTurn } from '../platform/lease-turn.ts';
import type { Leases } from '../platform/leases.ts';
import type { OutageLog } from '../platform/outage-note.ts';
import type { Purge } from '../platform/retention/purge.ts';
import type { Route } from '../http/route.ts';
import type { SourceReading } from '../shared/source-status.ts';
import { type CapType, frameworkCapTypes, mainnetCapTypes } from './adapters/cap-types.ts';
import { type Activity, createActivity } from './activity/activity.ts';
import { createFactStore } from './adapters/fact-store.ts';
import { type ChainSource, createSuiChainLookup } from './adapters/sui-chain-lookup.ts';
import { createSuiNftReader, type NftSource } from './adapters/sui-nft-reader.ts';
import { collectionPurges, type EventUse } from './adapters/purges.ts';
import type { OwnerSource } from './adapters/sui-owner-reader.ts';
import type { CollectionTables } from './adapters/tables.ts';
import { createTradeportActivity, type TradeportActivitySource } from './adapters/tradeport-activity.ts';
import { createTradeportSource, type MarketplaceSource } from './adapters/tradeport-source.ts';
import type { CollectionFactsAnswer, Ownership } from './contract.ts';
import type { HeldCollection } from './core/count-holdings.ts';
import { describeMarketFacts, type MarketFact } from './core/market-fact.ts';
import { collectionNoscriptHtml } from './core/noscript-html.ts';
import { collectionRoutes } from './http.ts';
import { createOwnFactsJob } from './own-facts.ts';
import { createOwnership } from './ownership/ownership.ts';
import type { PieceMarket } from './ownership/ownership-ports.ts';
import type { Clock } from './ports.ts';
import { readHoldings } from './read-holdings.ts';
import { createFactReader } from './read-market-facts.ts';
import { createServedFacts } from './served-facts.ts';

export interface CollectionsDeps {
  readonly settings: {
    readonly network: string;
    /** Canonical. */
    readonly collectionType: string;
    /** How often the product's own facts are refreshed; 60 s when left out. */
    readonly refreshMs?: number;
    /** Which objects prove that a kiosk is somebody's; those of the network when left out. */
    readonly capTypes?: readonly CapType[];
    /** How often the activity of a tracked collection is read; 30 to 45 s when left out. */
    readonly tracker?: { readonly pollMinMs: number; readonly pollMaxMs: number };
    /** How long a copy that died at work holds up the collections it was reading; 60 s when left out. */
    readonly claimMs?: number;
  };
  readonly sui: NftSource & ChainSource & OwnerSource;
  readonly marketplace: MarketplaceSource & TradeportActivitySource & PieceMarket;
  readonly db: Kysely<CollectionTables>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly log: OutageLog;
}

export interface Collections {
  readonly routes: readonly Route[];
  /** Collections that are tracked, and what happens in them. Add listeners before the start. */
  readonly activity: Activity;
  readonly ownership: Ownership;
  /** What it keeps for a time only (src/shared/retention.ts). */
  purges(use: EventUse): readonly Purge[];
  /** Resolves when the last good facts of the database are shown; the first refresh goes on behind it. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Throws Unavailable when any part of the wallet could not be read. */
  readHoldings(owner: string, stop?: AbortSignal): Promise<readonly HeldCollection[]>;
  /** Absent: not on the marketplace. Throws Unavailable without a last good answer. */
  readMarketFacts(collectionTypes: readonly string[], stop?: AbortSignal): Promise<ReadonlyMap<string, MarketFact>>;
  /** GET /api/collection. */
  factsSnapshot(): CollectionFactsAnswer;
  /** Runs after every change of the snapshot, also when it only turned stale. Answers how to stop. */
  onChange(run: () => void): () => void;
  /** When the marketplace last answered about the product's own collection. */
  sourceReading(): SourceReading;
  /** For `<!--snapshot:collection-->`. */
  noscriptHtml(): string;
}

/** What is true of a collection: who holds what, and what the marketplace says of it. */
export function createCollections({
  settings,
  sui,
  marketplace,
  db,
  leases,
  clock,
  log,
}: CollectionsDeps): Collections {
  const { network, collectionType, refreshMs = 60_000 } = settings;
  const capTypes = settings.capTypes ?? (network === 'mainnet' ? mainnetCapTypes : frameworkCapTypes);
  const market = createTradeportSource(marketplace);
  const store = createFactStore(db, network);
  const nfts = createSuiNftReader(sui, capTypes);
  const readFacts = createFactReader({ market, store, clock, log });
  const ownSettings = { collectionType, refreshMs };
  const served = createServedFacts(ownSettings, clock);
  const turn = createLeaseTurn(leases, `collection ${network} ${collectionType}`);
  const job = createOwnFactsJob({ settings: ownSettings, served, readFacts, market, store, turn, clock, log });
  const tradeport = createTradeportActivity(marketplace);
  const chain = createSuiChainLookup(sui);
  const { activity, poller } = createActivity({ settings, market: tradeport, chain, db, clock, log });
  const ownership = createOwnership({
    settings: { network, capTypes },
    sui,
    market: marketplace,
    finder: tradeport,
    chain,
    db,
    clock,
  });
  const capObjectTypes = capTypes.map(({ objectType }) => objectType);
  return {
    routes: collectionRoutes(served),
    activity,
    ownership,
    purges: (use) => collectionPurges(db, use),
    start: async () => {
      poller.start();
      await job.start();
    },
    stop: async () => {
      await Promise.all([poller.stop(), job.stop()]);
      served.stop();
    },
    readHoldings: (owner, stop) => readHoldings(nfts, owner, capObjectTypes, stop),
    readMarketFacts: async (collectionTypes, stop) => describeMarketFacts(await readFacts(collectionTypes, stop)),
    factsSnapshot: served.snapshot,
    onChange: served.onChange,
    sourceReading: () => ({ source: 'marketplace', readAt: served.facts().fact?.asOf ?? null }),
    noscriptHtml: () => collectionNoscriptHtml(served.snapshot()),
  };
}
