import type { ActivityEvent, CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import type { CardContext, RockPage } from '../cards/parts.ts';
import { type SuiPrice, usdSoon } from '../sui-price.ts';
import { asItHappened } from './rules/delivery-plan.ts';

export interface EventCardsOptions {
  readonly history: Pick<CollectionHistory, 'events'>;
  readonly tracking: Pick<CollectionTracking, 'tracked'>;
  readonly prices: SuiPrice;
  readonly explorerUrl: string;
  readonly rockPage?: RockPage | undefined;
}

/** What a card about stored events is made from. */
export const createEventCards = ({ history, tracking, prices, explorerUrl, rockPage }: EventCardsOptions) => {
  /** null: the collection is gone. */
  const context = async (trackedCollectionId: bigint): Promise<CardContext | null> => {
    const collection = (await tracking.tracked([trackedCollectionId])).get(trackedCollectionId);
    if (collection === undefined) return null;
    return { collection, floorBeforeMist: null, explorerUrl, rockPage, usdPerSui: await usdSoon(prices) };
  };
  return {
    context,
    /** Oldest first. null: the collection is gone, or none of the events is stored any more. */
    make: async (eventIds: readonly bigint[]) => {
      const events: readonly ActivityEvent[] = (await history.events(eventIds)).toSorted(asItHappened);
      const [first] = events;
      // The events' own collection: the group may track another one by now.
      const made = first === undefined ? null : await context(first.trackedCollectionId);
      return made === null ? null : { events, context: made };
    },
  };
};
export type EventCards = ReturnType<typeof createEventCards>;
