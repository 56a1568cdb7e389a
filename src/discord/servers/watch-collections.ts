import type { Kysely } from 'kysely';
import { z } from 'zod';

import { openTransaction } from '../../db/open-transaction.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { GuildConfigStore } from './guild-config-store.ts';
import type { Database } from '../../db/schema.ts';
import type { CollectionWatching } from '../ports.ts';

interface WatchCollectionsDeps {
  readonly db: Kysely<Database>;
  readonly configs: Pick<GuildConfigStore, 'hold' | 'setTracked' | 'unwatched'>;
  readonly watching: Pick<CollectionWatching, 'watch'>;
  /** null: the marketplace knows none, or cannot be asked now. */
  readonly trackedIdOf: (nftType: string) => Promise<bigint | null>;
}

const everyMs = 600_000;

/** Collections that the marketplace did not know, or could not be asked for, when a server was configured: watched once it knows them. */
export const collectionWatch = {
  name: 'discord-collection-watch',
  payload: z.object({}) as z.ZodType<object>,
  repeats: { payload: {}, everyMs },
};

export function collectionWatchJob(deps: WatchCollectionsDeps): JobDefinition<object> {
  const { db, configs, watching } = deps;
  const watchIn = (guildId: string, nftContract: string, trackedId: bigint): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const opened = openTransaction(transaction);
      const { guild, config } = await configs.hold(guildId, opened);
      if (guild?.isPresent !== true || config?.nftContract !== nftContract || config.trackedCollectionId !== null)
        return;
      await configs.setTracked(guildId, trackedId, opened);
      await watching.watch(trackedId, guildId, opened);
    });
  return {
    ...collectionWatch,
    failing: 'Collections of servers could not be watched',
    run: async (_payload, stop) => {
      const byContract = Map.groupBy(await configs.unwatched(), ({ nftContract }) => nftContract);
      for (const [nftContract, servers] of byContract) {
        if (stop.aborted) return;
        const trackedId = await deps.trackedIdOf(nftContract);
        if (trackedId === null) continue;
        for (const { guildId } of servers) await watchIn(guildId, nftContract, trackedId);
      }
    },
  };
}
