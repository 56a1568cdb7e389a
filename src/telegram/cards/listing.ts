import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOfEvent, forPrice, personLine, subjectHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { againstFloorText, belowOldFloorText } from './price-text.ts';

export const listingCard = (event: ActivityEvent, context: CardContext): MessageContent =>
  cardOfEvent(event, context, {
    headline: `🏷 ${subjectHtml(event, context)} listed${forPrice(event, context.usdPerSui)}`,
    floor: listingFloorText(event.priceMist, {
      beforeMist: context.floorBeforeMist,
      nowMist: context.collection.floorMist,
    }),
    lines: [personLine('Seller', event.seller, context.explorerUrl)],
  });

/** Before and after the poll that found a listing; null: unknown. */
interface Floors {
  readonly beforeMist: bigint | null;
  readonly nowMist: bigint | null;
}

/** The higher of the two known floors: the listing itself may have set the new one. */
const highestFloor = ({ beforeMist, nowMist }: Floors): bigint | null => {
  if (beforeMist === null || nowMist === null) return beforeMist ?? nowMist;
  return beforeMist > nowMist ? beforeMist : nowMist;
};

/** Unknown counts as not above. */
export const isAboveFloor = (priceMist: bigint | null, floors: Floors): boolean => {
  const floor = highestFloor(floors);
  return priceMist !== null && floor !== null && priceMist > floor;
};

/** The price relative to the floor used by `isAboveFloor`, so that no posted listing reads as above it. */
export const listingFloorText = (priceMist: bigint | null, floors: Floors): string | null => {
  const { beforeMist, nowMist } = floors;
  if (isAboveFloor(priceMist, floors)) return againstFloorText(priceMist, nowMist ?? beforeMist);
  const isNewFloor =
    priceMist !== null && beforeMist !== null && nowMist !== null && priceMist < beforeMist && priceMist <= nowMist;
  return isNewFloor ? belowOldFloorText(priceMist, beforeMist) : againstFloorText(priceMist, highestFloor(floors));
};
