import { percentOf } from '../../shared/money.ts';
import type { ConfirmedJump } from './reading.ts';

/** Rulings R3: a total that moves by more than 50 % is confirmed by a second read before it is published. */
const jumpLimitPercent = 50n;
/** How far the second read may differ from the first and still confirm it. */
const agreementPercent = 2n;

const distance = (left: bigint, right: bigint): bigint => (left > right ? left - right : right - left);

/**
 * `publish`: within the limit, or nothing to compare with. `confirm`: read again. `hold`: a known total would become unknown,
 * which is an outage.
 */
export const judgeJump = (last: bigint | null, next: bigint | null): 'publish' | 'confirm' | 'hold' => {
  if (last === null) return 'publish';
  if (next === null) return 'hold';
  return distance(last, next) * 100n > last * jumpLimitPercent ? 'confirm' : 'publish';
};

/** Whether the second read says the same as the first. */
export const confirmsJump = (first: bigint, second: bigint | null): boolean =>
  second !== null && distance(first, second) * 100n <= first * agreementPercent;

/** Signed change in per cent; from nothing it counts as 100. */
export const jumpPercent = (jump: ConfirmedJump): number =>
  percentOf(jump.nextMicroUsd - jump.previousMicroUsd, jump.previousMicroUsd) ?? 100;
