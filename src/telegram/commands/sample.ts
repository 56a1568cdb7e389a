import { Refused } from '../../shared/failure.ts';
import type { Configuration } from '../configs/configuration-row.ts';
import { sampleCard } from '../core/card-sample.ts';
import type { MessageContent } from '../core/message-content.ts';
import type { Clock, CollectionHistory, CollectionTracking, SuiPrice } from '../ports.ts';
import { usdSoon } from '../sui-price.ts';

interface SampleDeps {
  readonly tracking: Pick<CollectionTracking, 'tracked'>;
  readonly history: Pick<CollectionHistory, 'latestSale'>;
  readonly prices: SuiPrice;
  readonly clock: Pick<Clock, 'after'>;
  readonly explorerUrl: string;
}

/** The latest real sale of what a group tracks (rulings R4), as its card would show it. */
export async function sampleFor(
  { tracking, history, prices, clock, explorerUrl }: SampleDeps,
  { trackedCollectionId }: Pick<Configuration, 'trackedCollectionId'>,
): Promise<MessageContent> {
  const collection = (await tracking.tracked([trackedCollectionId])).get(trackedCollectionId);
  if (collection === undefined) throw new Refused('not-found', 'The collection of this configuration is not known.');
  const sale = await history.latestSale(collection.id);
  return sampleCard(sale, { collection, floorBeforeMist: null, explorerUrl, usdPerSui: await usdSoon(prices, clock) });
}
