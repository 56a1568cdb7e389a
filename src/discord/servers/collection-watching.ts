import type { Kysely } from 'kysely';
import { z } from 'zod';

import { openTransaction } from '../../db/open-transaction.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { CollectionLookup, FoundCollection, TrackedCollection } from '../../market/contract.ts';
import type { Logger } from '../../process/logger.ts';
import { Refused, Unavailable } from '../../shared/failure.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { CollectionWatching } from '../ports.ts';
import { holdGuild, setTracked, unwatchedGuilds } from './guild-config-store.ts';

/** The activity pipeline, which serves several listeners. */
interface SharedPipeline {
  lookUp(text: string): Promise<CollectionLookup>;
  track(found: FoundCollection): Promise<TrackedCollection>;
  watch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  unwatch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  setPaused(listener: string, isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

/** The name under which the role engine listens (roles/listener.ts). */
const listener = 'discord';

/** The pipeline's stores read columns by the database's own names. */
const plain = (transaction: OpenTransaction): OpenTransaction =>
  openTransaction((transaction as unknown as Trx).withoutPlugins());

/** The pipeline as the role engine sees it. Whether a collection is vouched for does not matter here: admins name its type. */
export const watchingFor = (pipeline: SharedPipeline): CollectionWatching => ({
  find: async (nftType) => {
    const found = await pipeline.lookUp(nftType);
    return found.kind === 'found' || found.kind === 'unverified' ? found.collection : null;
  },
  track: async (found) => (await pipeline.track(found)).id,
  watch: (id, watcher, transaction) => pipeline.watch(listener, id, watcher, plain(transaction)),
  unwatch: (id, watcher, transaction) => pipeline.unwatch(listener, id, watcher, plain(transaction)),
  setPaused: (isPaused, transaction) => pipeline.setPaused(listener, isPaused, plain(transaction)),
});

interface FindingDeps {
  readonly watching: Pick<CollectionWatching, 'find' | 'track'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** null: the marketplace knows none, or cannot be asked now, which is retried later. Holdings come from the chain alone. */
export async function trackedIdOf({ watching, log }: FindingDeps, nftType: string): Promise<bigint | null> {
  try {
    const found = await watching.find(nftType);
    return found === null ? null : await watching.track(found);
  } catch (error) {
    if (!(error instanceof Unavailable) && !(error instanceof Refused)) throw error;
    log.warn({ err: error, nftType }, 'The marketplace could not be asked for a collection; asking again later');
    return null;
  }
}

/** Collections that the marketplace did not know, or could not be asked for, when a server was configured: watched once it knows them. */
export const collectionWatch = {
  name: 'discord-collection-watch',
  payload: z.object({}) as z.ZodType<object>,
  repeats: { payload: {}, everyMs: 600_000 },
};

interface WatchDeps extends FindingDeps {
  readonly db: Kysely<Database>;
  readonly watching: Pick<CollectionWatching, 'find' | 'track' | 'watch'>;
}

export const collectionWatchJob = (deps: WatchDeps): JobDefinition<object> => ({
  ...collectionWatch,
  failing: 'Collections of servers could not be watched',
  run: async (_payload, stop) => {
    const byContract = Map.groupBy(await unwatchedGuilds(deps.db), ({ nftContract }) => nftContract);
    for (const [nftContract, servers] of byContract) {
      if (stop.aborted) return;
      const trackedId = await trackedIdOf(deps, nftContract);
      if (trackedId === null) continue;
      for (const { guildId } of servers) await watchIn(deps, guildId, nftContract, trackedId);
    }
  },
});

const watchIn = ({ db, watching }: WatchDeps, guildId: string, nftContract: string, trackedId: bigint): Promise<void> =>
  transact(db, async (trx) => {
    const { guild, config } = await holdGuild(trx, guildId);
    if (guild?.isPresent !== true || config?.nftContract !== nftContract || config.trackedCollectionId !== null) return;
    await setTracked(trx, guildId, trackedId);
    await watching.watch(trackedId, guildId, openTransaction(trx));
  });
