import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Database } from '../../db/schema.ts';
import { transact } from '../../db/transaction.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { CollectionTracking } from '../../market/contract.ts';
import type { Logger } from '../../process/logger.ts';
import { Refused, Unavailable } from '../../shared/failure.ts';
import { holdGuild, setTracked, unwatchedGuilds } from './guild-config-store.ts';

/** The activity pipeline, as far as the bot uses it; it serves several listeners, each with watches of its own. */
export type Watching = Pick<CollectionTracking, 'lookUp' | 'track' | 'watch' | 'unwatch' | 'setPaused'>;

/** The name under which the role engine listens; a watcher is a server. */
export const listener = 'discord';

interface FindingDeps {
  readonly watching: Pick<Watching, 'lookUp' | 'track'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** null: the marketplace knows none, or cannot be asked now, which is retried later. Holdings come from the chain alone. */
export async function trackedIdOf({ watching, log }: FindingDeps, nftType: string): Promise<bigint | null> {
  try {
    const found = await watching.lookUp(nftType);
    // Whether a collection is vouched for does not matter here: admins name its type.
    return found.kind === 'found' || found.kind === 'unverified' ? (await watching.track(found.collection)).id : null;
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
  readonly watching: Pick<Watching, 'lookUp' | 'track' | 'watch'>;
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
    await watching.watch(listener, trackedId, guildId, trx);
  });
