import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { CollectionTracking } from '../ports.ts';

/** The pipeline, where every listener has watches of its own. */
interface SharedPipeline extends Pick<CollectionTracking, 'lookUp' | 'track' | 'tracked'> {
  watch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  unwatch(listener: string, id: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  setPaused(listener: string, isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

/** The bot's name as a listener (delivery-listener.ts). */
const listener = 'telegram';

/** The pipeline as the bot sees it. */
export const trackingFor = (pipeline: SharedPipeline): CollectionTracking => ({
  lookUp: (text) => pipeline.lookUp(text),
  track: (found) => pipeline.track(found),
  tracked: (ids) => pipeline.tracked(ids),
  watch: (id, watcher, transaction) => pipeline.watch(listener, id, watcher, transaction),
  unwatch: (id, watcher, transaction) => pipeline.unwatch(listener, id, watcher, transaction),
  setPaused: (isPaused, transaction) => pipeline.setPaused(listener, isPaused, transaction),
});
