import { createOutageNote, type OutageLog } from '../../platform/outage-note.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { ActivityListener } from '../contract.ts';
import type { PollClaim, PollStore } from '../activity-ports.ts';
import type { Clock } from '../ports.ts';
import type { ActivityReader } from './read-activity.ts';

export interface ActivityPollerDeps {
  /** How often the database is asked what is due. */
  readonly lookEveryMs: number;
  readonly store: PollStore;
  readonly reader: ActivityReader;
  readonly listeners: ReadonlyMap<string, ActivityListener>;
  readonly clock: Clock;
  readonly log: OutageLog;
}

/** Reads the collections that are due, together with every other copy of the product. */
export interface ActivityPoller {
  readonly start: () => void;
  /** Lets go of the marketplace at once; resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>;
}

/** At a second for each answer, 1,000 collections in 45 s still take less. */
const atOnceMax = 24;

export function createActivityPoller(deps: ActivityPollerDeps): ActivityPoller {
  const { store, listeners, clock, log, lookEveryMs } = deps;
  const stopped = new AbortController();
  const underWay = new Set<Promise<void>>();
  let cancelLook = (): void => {};
  let looking: Promise<void> | null = null;
  let mayBeMore = false;
  const note = createOutageNote(log, 'Due polls could not be read from the database');

  const begin = (claim: PollClaim): void => {
    const work = poll(deps, claim, stopped.signal).finally(() => {
      underWay.delete(work);
      // Whoever could not take all that is due looks again as soon as there is room.
      if (mayBeMore) lookNow();
    });
    underWay.add(work);
  };

  const look = async (): Promise<void> => {
    const roomCount = atOnceMax - underWay.size;
    if (roomCount <= 0 || listeners.size === 0) return;
    const claims = await store.claim(roomCount, [...listeners.keys()]);
    mayBeMore = claims.length === roomCount;
    note.done();
    for (const claim of claims) begin(claim);
  };

  const lookNow = (): void => {
    if (stopped.signal.aborted || looking !== null) return;
    cancelLook();
    looking = look()
      .catch((error: unknown) => {
        // The claims it still holds end by themselves.
        note.failed(error);
        mayBeMore = false;
      })
      .finally(() => {
        looking = null;
        if (!stopped.signal.aborted) cancelLook = clock.after(lookEveryMs, lookNow);
      });
  };

  return {
    start: lookNow,
    stop: async () => {
      stopped.abort();
      cancelLook();
      await looking;
      await Promise.all(underWay);
    },
  };
}

/** One collection, once. Never throws: what goes wrong is kept with the collection and tried again at its next turn. */
async function poll(deps: ActivityPollerDeps, claim: PollClaim, stop: AbortSignal): Promise<void> {
  const { store, reader, listeners, log } = deps;
  const { collection, progress } = claim;
  try {
    const ready = Promise.all([...listeners.values()].flatMap((listener) => listener.prepare?.() ?? []));
    const reading = progress.isSeeded
      ? await reader.readNews(collection.marketId, progress, () => store.renew(claim), stop)
      : await reader.readPast(collection.marketId, stop);
    await ready;
    const told = await store.record(claim, reading, listeners);
    if (told === null) await store.release(claim);
    for (const name of told ?? []) listeners.get(name)?.batchStored();
  } catch (error) {
    await keepFailure(deps, claim, error).catch((cause: unknown) => {
      // Without the database the claim ends by itself.
      log.warn({ err: cause, collection: collection.slug }, 'A failed poll could not be saved');
    });
  }
}

async function keepFailure({ store, log }: ActivityPollerDeps, claim: PollClaim, error: unknown): Promise<void> {
  const reason = error instanceof Unavailable ? error.reason : 'internal-error';
  if (reason === 'claim-lost') return;
  if (reason === 'stopped') return store.release(claim);
  const { slug, failingSince } = claim.collection;
  const isNews = failingSince === null || failingSince.reason !== reason;
  if (reason === 'internal-error') log.warn({ err: error, collection: slug }, 'A poll failed; it will be repeated');
  else if (isNews) log.warn({ reason, collection: slug }, 'The activity of a collection cannot be read');
  await store.recordFailure(claim, reason);
}
