import type { MemberAnswer } from './findings.ts';

/** A full node may lag behind the marketplace's event: delays of the checks that follow it. */
const followUpsMs = [10_000, 30_000, 120_000] as const;
/** `bought`, or `bought-2` for the second check after it. */
const causePattern = /^(bought|sold|traded)(?:-([2-4]))?$/;

const firstUnknownMs = 10_000;
const longestUnknownMs = 5 * 60_000;

export interface FollowUp {
  readonly afterMs: number;
  readonly cause: string;
}

/** Whether the check after an event found what the event says; if not, when to check again. null: it is settled. */
export function followUp(cause: string, answer: MemberAnswer): FollowUp | null {
  const [, kind, number = '1'] = causePattern.exec(cause) ?? [];
  if (kind === undefined || answer === 'unknown') return null;
  // A seller may keep others, and a buyer of one may be the seller of another: these checks are few and cost little.
  const isAsExpected = (kind === 'bought' && answer === 'holds') || (kind === 'sold' && answer === 'does-not-hold');
  const afterMs = followUpsMs[Number(number) - 1];
  return isAsExpected || afterMs === undefined ? null : { afterMs, cause: `${kind}-${Number(number) + 1}` };
}

/** The event that a check goes back to, for people: `bought-2` is `bought`. */
export const plainCause = (cause: string): string => causePattern.exec(cause)?.[1] ?? cause;

/** Pause after an unreadable result: as long as it has been so, between 10 seconds and 5 minutes. */
export const unknownPauseMs = (unknownForMs: number): number =>
  Math.min(longestUnknownMs, Math.max(firstUnknownMs, unknownForMs));

/** Only the operator can fix it: the hourly sweep is soon enough. */
export const isOfConfiguration = (reason: string | null): boolean => reason === 'marketplace-key-missing';

const firstSweepMs = 15_000;

/** Pause after an outage of the sweep: as long as it has lasted, between 15 seconds and 5 minutes. */
export const sweepPauseMs = (failingForMs: number): number =>
  Math.min(longestUnknownMs, Math.max(firstSweepMs, failingForMs));
