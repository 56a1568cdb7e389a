import type { CollectionFactsAnswer } from '../contract.ts';
import { describeOwnCollection, type OwnCollectionSettings, type OwnFacts, staleAtMs } from '../core/own-collection.ts';
import type { Clock } from '../ports.ts';

/** What every visitor gets, ready in memory. */
export interface ServedFacts {
  /** Shows these facts from now on; also tells when they turn stale by age alone. */
  readonly show: (facts: OwnFacts) => void;
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

  const show = (facts: OwnFacts): void => {
    cancelStale();
    const now = clock.now();
    const staleInMs = (staleAtMs(facts, settings.refreshMs) ?? 0) - now.getTime();
    if (staleInMs > 0 && !isStopped) cancelStale = clock.after(staleInMs, () => show(facts));
    shownFacts = facts;
    const next = describeOwnCollection(facts, settings, now);
    if (JSON.stringify(next) === JSON.stringify(shown)) return;
    shown = next;
    for (const run of listeners) run();
  };

  return {
    show,
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
