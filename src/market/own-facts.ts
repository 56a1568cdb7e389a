import { Unavailable } from '../shared/failure.ts';
import type { OwnCollectionSettings, OwnFacts } from './core/own-collection.ts';
import type { Clock, FactsTurn, FactStore, MarketSource } from './ports.ts';
import type { ReadFacts } from './read-market-facts.ts';
import type { ServedFacts } from './served-facts.ts';

export interface OwnFactsDeps {
  readonly settings: OwnCollectionSettings;
  readonly readFacts: ReadFacts;
  readonly market: MarketSource;
  readonly store: FactStore;
  readonly turn: FactsTurn;
  readonly served: ServedFacts;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

/** Keeps the facts of the product's own collection fresh: every copy shows what the database has, one of them asks. */
export interface OwnFactsJob {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A refresh that began a little early is not put off to the next look. */
const slackMs = 50;

export function createOwnFactsJob(deps: OwnFactsDeps): OwnFactsJob {
  const { settings, store, turn, served, clock, log } = deps;
  const { collectionType, refreshMs } = settings;
  let cancelLook = (): void => {};
  let looking: Promise<void> = Promise.resolve();
  const stopped = new AbortController();
  const noteKnown = createKnownNote(deps);

  const adopt = async (): Promise<void> => {
    const fact = (await store.readFacts([collectionType])).get(collectionType) ?? null;
    served.show({ fact, listed: await store.readListedCount(collectionType) });
  };

  const isDue = (asOf: Date | undefined): boolean => {
    if (asOf === undefined) return true;
    const ageMs = clock.now().getTime() - asOf.getTime();
    // A clock that was set back must not stop the refreshes.
    return ageMs < 0 || ageMs >= refreshMs - slackMs;
  };

  const look = async (): Promise<void> => {
    await adopt();
    const { fact, listed } = served.facts();
    if (stopped.signal.aborted || (!isDue(fact?.asOf) && !isDue(listed?.asOf))) return;
    await turn.runAlone(() => refreshOwnFacts(deps, served.facts(), isDue, stopped.signal));
    await adopt();
    noteKnown(served.facts().fact);
  };

  const lookNow = (): void => {
    looking = look()
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) log.warn({ err: error }, 'The facts of the collection could not be refreshed');
      })
      .finally(() => {
        if (!stopped.signal.aborted) cancelLook = clock.after(refreshMs, lookNow);
      });
  };

  return {
    start: async () => {
      await adopt().catch((error: unknown) => log.warn({ err: error }, 'The kept collection facts could not be read'));
      lookNow();
    },
    stop: async () => {
      stopped.abort();
      cancelLook();
      await looking;
    },
  };
}

/** Says once what a mistyped COLLECTION_TYPE looks like: no outage, and yet nothing is ever known of it. */
function createKnownNote({ settings: { collectionType }, log }: OwnFactsDeps) {
  let isTold = false;
  return (fact: OwnFacts['fact']): void => {
    const isUnknown = fact !== null && fact.marketId === null;
    if (isUnknown && !isTold)
      log.warn({ collectionType }, 'The marketplace does not know COLLECTION_TYPE; is it right?');
    isTold = isUnknown;
  };
}

/** The treasury asks for the same facts, so what is fresh in the database is not asked again. */
async function refreshOwnFacts(
  { settings, readFacts, market, store, clock, log }: OwnFactsDeps,
  last: OwnFacts,
  isDue: (asOf: Date | undefined) => boolean,
  stop: AbortSignal,
): Promise<void> {
  const { collectionType } = settings;
  const fact = isDue(last.fact?.asOf) ? (await readFacts([collectionType], stop)).get(collectionType) : last.fact;
  if (fact?.marketId == null || !isDue(last.listed?.asOf)) return;
  try {
    const listedCount = await market.readListedCount(fact.marketId, stop);
    await store.saveListedCount(collectionType, { listedCount, asOf: clock.now() });
  } catch (error) {
    // The other facts do not wait for this one; unknown, it is left out.
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ reason: error.reason }, 'The count of listed pieces could not be read');
  }
}
