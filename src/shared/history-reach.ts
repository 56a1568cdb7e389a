/** How far a past has been read, from its beginning on. */
export interface HistoryReach {
  /** Percentage of the time between the first event and now, 0 to 100; null: nothing has been read yet. */
  readonly percent: number | null;
  readonly until: Date | null;
  readonly isComplete: boolean;
}

/** Once reading has caught up with the polls, the history is complete and stays so. */
export function historyReach(
  { historyAt, isHistoryComplete }: { readonly historyAt: Date | null; readonly isHistoryComplete: boolean },
  firstAt: Date | null,
  now: Date,
): HistoryReach {
  if (isHistoryComplete) return { percent: 100, until: now, isComplete: true };
  if (historyAt === null || firstAt === null) return { percent: null, until: null, isComplete: false };
  const wholeMs = Math.max(now.getTime() - firstAt.getTime(), 1);
  const share = (historyAt.getTime() - firstAt.getTime()) / wholeMs;
  // Only a complete history shows 100 %.
  return { percent: Math.min(99, Math.max(0, Math.floor(share * 100))), until: historyAt, isComplete: false };
}

const dayText = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** 'History: 62 %, up to 3 March 2026' */
export const historyText = ({ percent, until }: HistoryReach): string =>
  percent === null || until === null ? 'History: nothing read yet' : `History: ${percent} %, up to ${dayText(until)}`;
