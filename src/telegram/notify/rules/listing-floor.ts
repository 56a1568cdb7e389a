import { againstFloorText, belowOldFloorText } from '../../cards/price-text.ts';

/** As it was before the poll that found a listing, and as it is after it; null: unknown. */
interface Floors {
  readonly beforeMist: bigint | null;
  readonly nowMist: bigint | null;
}

/** The higher of the two known floors: a listing may itself have made the new one. */
const highestFloor = ({ beforeMist, nowMist }: Floors): bigint | null => {
  if (beforeMist === null || nowMist === null) return beforeMist ?? nowMist;
  return beforeMist > nowMist ? beforeMist : nowMist;
};

/** What is not known is not above. */
export const isAboveFloor = (priceMist: bigint | null, floors: Floors): boolean => {
  const floor = highestFloor(floors);
  return priceMist !== null && floor !== null && priceMist > floor;
};

/** The price of a listing beside the floor, by the same floor as `isAboveFloor`: what is let through is never said to be above. */
export const listingFloorText = (priceMist: bigint | null, floors: Floors): string | null => {
  const { beforeMist, nowMist } = floors;
  if (isAboveFloor(priceMist, floors)) return againstFloorText(priceMist, nowMist ?? beforeMist);
  const isNewFloor =
    priceMist !== null && beforeMist !== null && nowMist !== null && priceMist < beforeMist && priceMist <= nowMist;
  return isNewFloor ? belowOldFloorText(priceMist, beforeMist) : againstFloorText(priceMist, highestFloor(floors));
};
