import {
  fromDecimalText,
  microUsdDecimals,
  mistDecimals,
  picoUsdDecimals,
  roundTo,
  shareOf,
  suiText,
  toDecimalText,
  valueMicroUsd,
  withCommas,
} from '../../shared/money.ts';

const readsSame = (oneMist: bigint, otherMist: bigint): boolean => suiText(oneMist) === suiText(otherMist);

/** `11.5 to 20 SUI`, or one price if both are equal. */
export const suiRangeText = (lowestMist: bigint, highestMist: bigint): string =>
  readsSame(lowestMist, highestMist)
    ? suiText(lowestMist)
    : `${suiText(lowestMist).replace(/ SUI$/, '')} to ${suiText(highestMist)}`;

const usdStep = (microUsd: bigint): bigint =>
  microUsd >= 1000n * 10n ** BigInt(microUsdDecimals) ? 10n ** BigInt(microUsdDecimals) : 10_000n;

/** `$50.96`, whole dollars from 1,000 on; null for no price or an unknown SUI price. */
export const usdText = (mist: bigint, usdPerSui: string | null): string | null => {
  const pricePicoUsd = usdPerSui === null ? null : fromDecimalText(usdPerSui, picoUsdDecimals);
  if (pricePicoUsd === null || pricePicoUsd <= 0n || mist <= 0n) return null;
  const microUsd = valueMicroUsd(mist, mistDecimals, pricePicoUsd);
  if (microUsd < 10_000n) return 'under $0.01';
  const rounded = roundTo(microUsd, usdStep(microUsd));
  const [whole = '', fraction = ''] = toDecimalText(rounded, microUsdDecimals).split('.');
  const cents = usdStep(microUsd) === 10_000n ? `.${fraction.padEnd(2, '0')}` : '';
  return `$${withCommas(whole)}${cents}`;
};

/** Half up, away from zero; -100 only if nothing is left. */
const wholePercent = (part: bigint, whole: bigint): bigint => {
  const sign = part < 0n ? -1n : 1n;
  const percent = (sign * (sign * part * 200n + whole)) / (whole * 2n);
  return percent === -100n && part > -whole ? -99n : percent;
};

/** `12% above floor (13 SUI)`, `At the floor (13 SUI)`; null if either is unknown. */
export const againstFloorText = (priceMist: bigint | null, floorMist: bigint | null): string | null => {
  if (priceMist === null || floorMist === null || floorMist <= 0n) return null;
  const floor = `floor (${suiText(floorMist)})`;
  if (priceMist === floorMist) return `At the ${floor}`;
  const percent = wholePercent(priceMist - floorMist, floorMist);
  if (percent === 0n) return priceMist > floorMist ? `Just above ${floor}` : `Just below ${floor}`;
  return percent > 0n ? `${withCommas(percent.toString())}% above ${floor}` : `${-percent}% below ${floor}`;
};

/** `New floor, 4% below the old one (12.4 SUI)`, for a price below the floor. */
const belowOldFloorText = (priceMist: bigint, oldFloorMist: bigint): string => {
  const percent = oldFloorMist <= 0n ? 0n : -wholePercent(priceMist - oldFloorMist, oldFloorMist);
  return `New floor, ${percent === 0n ? 'just' : `${percent}%`} below the old one (${suiText(oldFloorMist)})`;
};

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
  const againstHighest = againstFloorText(priceMist, highestFloor(floors));
  if (priceMist === null || beforeMist === null || nowMist === null) return againstHighest;
  const isNewFloor = priceMist < beforeMist && priceMist <= nowMist;
  return isNewFloor ? belowOldFloorText(priceMist, beforeMist) : againstHighest;
};

/** `Floor 12 SUI, now 13 SUI`; null if the present one is unknown. */
export const floorText = (beforeMist: bigint | null, nowMist: bigint | null): string | null => {
  if (nowMist === null) return null;
  return beforeMist === null || readsSame(beforeMist, nowMist)
    ? `Floor ${suiText(nowMist)}`
    : `Floor ${suiText(beforeMist)}, now ${suiText(nowMist)}`;
};

/** A bid is shown as a share of the floor: `85% of floor (13 SUI)`, `Under 1% of floor (13 SUI)`. */
export const shareOfFloorText = (priceMist: bigint | null, floorMist: bigint | null): string | null => {
  if (priceMist === null || floorMist === null || floorMist <= 0n) return null;
  const percent = wholePercent(priceMist, floorMist);
  if (percent === 100n && priceMist !== floorMist) return againstFloorText(priceMist, floorMist);
  const share = percent === 0n && priceMist > 0n ? 'Under 1' : withCommas(percent.toString());
  return `${share}% of floor (${suiText(floorMist)})`;
};

/** Half up; null without prices. */
export const averageMist = (prices: readonly bigint[]): bigint | null => {
  const count = prices.length;
  return count === 0 ? null : shareOf(sumMist(prices), count);
};

export const sumMist = (prices: readonly bigint[]): bigint => prices.reduce((sum, price) => sum + price, 0n);

/** ` ($50.96)`; empty if unknown. */
export const inBrackets = (text: string | null): string => (text === null ? '' : ` (${text})`);
