import { openTransaction } from '../../db/open-transaction.ts';
import type { Trx } from '../../db/transaction.ts';
import type { CollectionLookup, FoundCollection, TrackedCollection } from '../../market/contract.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { CollectionWatching } from '../ports.ts';

/** The activity pipeline, which serves several listeners. */
interface SharedPipeline {
  lookUp(text: string): Promise<CollectionLookup>;
  track(found: FoundCollection): Promise<TrackedCollection>;
  watch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  unwatch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  setPaused(listener: string, isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

/** The name under which the role engine listens (roles/trade-listener.ts). */
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
