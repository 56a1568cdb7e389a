import type { ActivityBatch, ActivityEvent } from '../../../market/contract.ts';
import type { CardContext } from '../../cards/event-card.ts';
import type { MessageContent } from '../../cards/message-html.ts';
import type { Settings } from '../../configs/settings.ts';

/** What decides which events a group gets, and when. */
export interface ConfigurationRules extends Settings {
  readonly maxSupply: number | null;
  /** Before the mints of this batch. */
  readonly mintedCount: number;
}

export interface PlanInput extends Pick<CardContext, 'explorerUrl' | 'usdPerSui' | 'rocks'> {
  readonly rules: ConfigurationRules;
  readonly batch: ActivityBatch;
  /** Those of `earlierListings` that were posted to this group. */
  readonly postedListingIds: ReadonlySet<bigint>;
  /** When the group was set up; undefined if the whole batch is later. */
  readonly followedSince?: Date | undefined;
  readonly now: Date;
}

export type DropReason = 'before-setup' | 'not-tracked' | 'below-minimum' | 'above-floor' | 'relist' | 'stale';

export interface PlannedMessage {
  readonly kind: 'card' | 'folded' | 'digest';
  readonly content: MessageContent;
  readonly eventIds: readonly bigint[];
  /** The newest event it reports. */
  readonly happenedAt: Date;
  /** A message with the key of one posted within the last hour edits that card; null: always a new message. */
  readonly runningKey: string | null;
}

/** Every event of the batch is in exactly one of the three. */
export interface DeliveryPlan {
  /** In sending order. */
  readonly messages: readonly PlannedMessage[];
  readonly dropped: readonly { readonly eventId: bigint; readonly reason: DropReason }[];
  /** Quiet hours: left for the morning recap. */
  readonly heldEventIds: readonly bigint[];
}

/** By time; at the same time, in the order in which they were stored. */
export const byTime = (
  one: Pick<ActivityEvent, 'happenedAt' | 'id'>,
  other: Pick<ActivityEvent, 'happenedAt' | 'id'>,
): number =>
  one.happenedAt.getTime() - other.happenedAt.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
