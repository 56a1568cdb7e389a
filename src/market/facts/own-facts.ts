import { z } from 'zod';

import { makeReadyJson } from '../../http/ready/ready-answer.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Clock } from '../../shared/clock.ts';
import { Unavailable } from '../../shared/failure.ts';
import { collectionFactsAnswer, type CollectionFactsAnswer } from '../contract.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { readListedCount } from '../../sources/tradeport/collections.ts';
import {
  describeOwnCollection,
  type OwnCollectionSettings,
  type OwnFacts,
  type RockCounts,
  staleAtMs,
} from '../core/own-collection.ts';
import type { FactStore, ReadFacts } from './kept-facts.ts';

export interface OwnFactsDeps {
  readonly settings: OwnCollectionSettings;
  readonly readFacts: ReadFacts;
  readonly market: MarketCall;
  readonly store: FactStore;
  readonly served: ServedFacts;
  /** Notifies every copy, this one too, of newer facts in the database. */
  readonly publish: () => Promise<void>;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

/** Shows what the database has. */
export async function showKeptFacts({ settings, store, served }: OwnFactsDeps): Promise<void> {
  const { collectionType } = settings;
  const fact = (await store.readFacts([collectionType])).get(collectionType) ?? null;
  served.show({ fact, listed: await store.readListedCount(collectionType) });
}

/** Keeps the facts of the product's own collection fresh in the database: one copy asks for all. */
export function ownFactsJob(deps: OwnFactsDeps): JobDefinition<object> {
  const noteKnown = createKnownNote(deps);
  const { refreshMs } = deps.settings;
  return {
    name: 'own-facts',
    payload: z.object({}),
    repeats: { payload: {}, everyMs: refreshMs },
    longestRetryMs: refreshMs,
    failing: 'The facts of the collection could not be refreshed',
    run: async (_payload, stop) => {
      await refreshOwnFacts(deps, stop);
      await showKeptFacts(deps);
      noteKnown(deps.served.facts().fact);
      await deps.publish();
    },
  };
}

/** Says once what a mistyped COLLECTION_TYPE looks like: no outage, and yet nothing is ever known of it. */
function createKnownNote({ settings: { collectionType }, log }: OwnFactsDeps) {
  let wasUnknown = false;
  return (fact: OwnFacts['fact']): void => {
    const isUnknown = fact !== null && fact.marketId === null;
    if (isUnknown && !wasUnknown)
      log.warn({ collectionType }, 'The marketplace does not know COLLECTION_TYPE; is it right?');
    wasUnknown = isUnknown;
  };
}

async function refreshOwnFacts(
  { settings: { collectionType }, readFacts, market, store, clock, log }: OwnFactsDeps,
  stop: AbortSignal,
): Promise<void> {
  const fact = (await readFacts([collectionType], stop)).get(collectionType);
  if (fact?.marketId == null) return;
  try {
    const listedCount = await readListedCount(market, fact.marketId, stop);
    await store.saveListedCount(collectionType, { listedCount, asOf: clock.now() });
  } catch (error) {
    // The other facts do not wait for this one; unknown, it is left out.
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ reason: error.reason }, 'The count of listed pieces could not be read');
  }
}

/** Specification 2 (collection page), rulings R3: facts with their age, never waiting for the outside. */
export function factsRoute({ snapshot, onChange }: ServedFacts): Route {
  let ready = makeReadyJson(snapshot());
  onChange(() => void (ready = makeReadyJson(snapshot())));
  return defineRoute({
    method: 'GET',
    path: '/api/collection',
    access: 'public',
    summary: "What is true of the product's own collection now; unknown facts are null",
    answer: collectionFactsAnswer,
    ready: () => ready,
    handle: () => ({ status: 200, ready }),
  });
}

/** What every visitor gets, ready in memory. */
export interface ServedFacts {
  /** Shows these facts from now on; also notifies when they turn stale by age. */
  readonly show: (facts: Omit<OwnFacts, 'rocks'>) => void;
  /** Counts these rocks from now on; null: none were ever read. */
  readonly count: (rocks: RockCounts | null) => void;
  readonly facts: () => OwnFacts;
  readonly snapshot: () => CollectionFactsAnswer;
  readonly onChange: (run: () => void) => () => void;
  readonly stop: () => void;
}

export function createServedFacts(settings: OwnCollectionSettings, clock: Clock): ServedFacts {
  const listeners = new Set<() => void>();
  let shownFacts: OwnFacts = { fact: null, listed: null };
  let shown = describeOwnCollection(shownFacts, settings, clock.now());
  let cancelStale = (): void => {};
  let isStopped = false;

  const showAll = (facts: OwnFacts): void => {
    cancelStale();
    const now = clock.now();
    const staleInMs = (staleAtMs(facts, settings.refreshMs) ?? 0) - now.getTime();
    if (staleInMs > 0 && !isStopped) cancelStale = clock.after(staleInMs, () => showAll(facts));
    shownFacts = facts;
    const next = describeOwnCollection(facts, settings, now);
    if (JSON.stringify(next) === JSON.stringify(shown)) return;
    shown = next;
    for (const run of listeners) run();
  };

  return {
    show: (facts) => showAll({ ...facts, rocks: shownFacts.rocks ?? null }),
    count: (rocks) => showAll({ ...shownFacts, rocks }),
    facts: () => shownFacts,
    snapshot: () => shown,
    onChange: (run) => {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    stop: () => {
      isStopped = true;
      cancelStale();
    },
  };
}
