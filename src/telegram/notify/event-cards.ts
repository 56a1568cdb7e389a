import type { ActivityEvent, CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import type { ListedConfiguration } from './recap-store.ts';
import type { CardContext } from '../cards/parts.ts';
import { type SuiPrice, usdSoon } from '../sui-price.ts';

interface MadeReady {
  readonly events: readonly ActivityEvent[];
  readonly context: CardContext;
  readonly timeZone: string;
}

/** What a card about stored events is made from. */
export interface EventCards {
  /** null: the configuration or the collection is gone, or none of the events is stored any more. */
  make(configurationId: string | null, eventIds: readonly bigint[]): Promise<MadeReady | null>;
  context(trackedCollectionId: bigint): Promise<CardContext | null>;
}

export interface EventCardsOptions {
  readonly readConfiguration: (configurationId: string) => Promise<ListedConfiguration | null>;
  readonly history: Pick<CollectionHistory, 'events'>;
  readonly tracking: Pick<CollectionTracking, 'tracked'>;
  readonly prices: SuiPrice;
  readonly explorerUrl: string;
}

export function createEventCards({
  readConfiguration,
  history,
  tracking,
  prices,
  explorerUrl,
}: EventCardsOptions): EventCards {
  const context = async (trackedCollectionId: bigint): Promise<CardContext | null> => {
    const collection = (await tracking.tracked([trackedCollectionId])).get(trackedCollectionId);
    if (collection === undefined) return null;
    return { collection, floorBeforeMist: null, explorerUrl, usdPerSui: await usdSoon(prices) };
  };
  return {
    context,
    make: async (configurationId, eventIds) => {
      const configuration = configurationId === null ? null : await readConfiguration(configurationId);
      if (configuration === null || eventIds.length === 0) return null;
      const events = (await history.events(eventIds)).toSorted(oldestFirst);
      const [first] = events;
      if (first === undefined) return null;
      // The events' own collection: the group may track another one by now.
      const made = await context(first.trackedCollectionId);
      return made === null ? null : { events, context: made, timeZone: configuration.timeZone };
    },
  };
}

const oldestFirst = (one: ActivityEvent, other: ActivityEvent): number =>
  one.happenedAt.getTime() - other.happenedAt.getTime() || Number(one.id - other.id);
