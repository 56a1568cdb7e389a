import type { Kysely } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import type { OutageLog } from '../../platform/outage-note.ts';
import { createRepeatedLook, type RepeatedLook } from '../../platform/repeated-look.ts';
import type { GuildConfigStore } from '../adapters/guild-config-store.ts';
import type { Database } from '../../db/schema.ts';
import type { Clock, CollectionWatching } from '../ports.ts';

interface WatchCollectionsDeps {
  readonly db: Kysely<Database>;
  readonly configs: Pick<GuildConfigStore, 'hold' | 'setTracked' | 'unwatched'>;
  readonly watching: Pick<CollectionWatching, 'watch'>;
  /** null: the marketplace knows none, or cannot be asked now. */
  readonly trackedIdOf: (nftType: string) => Promise<bigint | null>;
  readonly clock: Clock;
  readonly log: OutageLog;
  readonly everyMs: number;
}

/**
 * Collections that the marketplace did not know when a server was configured, or could not be asked for: once it knows them their
 * activity is watched. Any copy may do it, several at once do no harm.
 */
export function createCollectionWatch(deps: WatchCollectionsDeps): RepeatedLook {
  const { db, configs, watching, clock, log, everyMs } = deps;
  const watchIn = (guildId: string, nftContract: string, trackedId: bigint): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const opened = openTransaction(transaction);
      const { guild, config } = await configs.hold(guildId, opened);
      if (guild?.isPresent !== true || config?.nftContract !== nftContract || config.trackedCollectionId !== null)
        return;
      await configs.setTracked(guildId, trackedId, opened);
      await watching.watch(trackedId, guildId, opened);
    });
  return createRepeatedLook({
    clock,
    everyMs,
    look: async (stop) => {
      const byContract = Map.groupBy(await configs.unwatched(), ({ nftContract }) => nftContract);
      for (const [nftContract, servers] of byContract) {
        if (stop.aborted) return;
        const trackedId = await deps.trackedIdOf(nftContract);
        if (trackedId === null) continue;
        for (const { guildId } of servers) await watchIn(guildId, nftContract, trackedId);
      }
    },
    log,
    failing: 'Collections of servers could not be watched',
  });
}
