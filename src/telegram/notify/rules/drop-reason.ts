import type { ActivityEvent, ActivityKind } from '../../../market/contract.ts';
import type { ConfigurationRules, DropReason } from './delivery-plan.ts';
import { isAboveFloor } from './listing-floor.ts';
import { isViaBid } from '../../cards/sale.ts';

const isTracked = (rules: ConfigurationRules, event: ActivityEvent): boolean => {
  const toggles: Readonly<Record<ActivityKind, boolean>> = {
    mint: rules.trackMint,
    // Rulings R4: an accepted bid is posted once, when sales or bids are tracked.
    sale: rules.trackSales || (rules.trackBids && isViaBid(event)),
    listing: rules.trackListings,
    bid: rules.trackBids,
  };
  return toggles[event.kind];
};

/**
 * What happened before the setup, or while a configuration was deleted or the bot was out of the group (rulings R4), is
 * not posted, though the collection may have been read for other groups. To the millisecond: ten seconds of a mint are
 * dozens of cards, and a chain clock behind ours loses no more than the difference.
 */
export const isBeforeSetup = ({ happenedAt }: Pick<ActivityEvent, 'happenedAt'>, followedSince: Date): boolean =>
  happenedAt.getTime() < followedSince.getTime();

interface Surroundings {
  readonly floorBeforeMist: bigint | null;
  readonly floorMist: bigint | null;
  /** See PlanInput. */
  readonly followedSince?: Date | undefined;
}

/** Why a group does not get an event (relists: relist.ts); null: it does. An unknown price or floor drops nothing. */
export const dropReason = (
  event: ActivityEvent,
  rules: ConfigurationRules,
  { floorBeforeMist, floorMist, followedSince }: Surroundings,
): Exclude<DropReason, 'relist'> | null => {
  if (followedSince !== undefined && isBeforeSetup(event, followedSince)) return 'before-setup';
  if (!isTracked(rules, event)) return 'not-tracked';
  const price = event.priceMist;
  if (price !== null && rules.minPriceMist !== null && price < rules.minPriceMist) return 'below-minimum';
  if (event.kind !== 'listing') return null;
  const isAbove = isAboveFloor(price, { beforeMist: floorBeforeMist, nowMist: floorMist });
  return rules.listingsAtFloorOnly && isAbove ? 'above-floor' : null;
};
