import type { SourceReading } from '../../shared/source-status.ts';

/** What the alarms are judged by at one moment. */
export interface Facts {
  readonly now: Date;
  /** When this copy of the product began to check. */
  readonly startedAt: Date;
  /** The figures of /metrics; null: there is nothing to count; absent: it could not be read. */
  readonly figures: Readonly<Record<string, number | null>>;
  readonly sources: readonly SourceReading[];
  /** How old the last good reading of a source may be. */
  readonly sourceLimitMs: number;
  /** The platforms' own words for why a bot does not run. */
  readonly lastErrors: { readonly telegram: string | null; readonly discord: string | null };
}

/** How an alarm looks now. `since` null: it is not known when it began. */
export type Seen =
  | { readonly kind: 'well' }
  | { readonly kind: 'failing'; readonly since: Date | null }
  /** Nothing can be said: what was reported stays. */
  | { readonly kind: 'unknown' };

/** What is stored of an alarm; none: all is well, and was. */
export interface StoredAlarm {
  /** The owner was notified. */
  readonly isOn: boolean;
  readonly since: Date;
  /** Since when it has differed from what was reported; null: it does not. */
  readonly turningSince: Date | null;
}

/** What is stored from now on (null: nothing), and whether the owner is to be notified now. */
export interface AlarmTurn {
  readonly next: StoredAlarm | null;
  readonly tell: 'on' | 'over' | null;
}

/** How long all must be well before an alarm is over: what comes and goes is one alarm, not ten. */
const wellForMs = 5 * 60_000;

/** One check. Only what lasts turns an alarm on or off; what cannot be seen changes nothing. */
export function turnAlarm(stored: StoredAlarm | null, seen: Seen, settleMs: number, now: Date): AlarmTurn {
  if (seen.kind === 'unknown') return { next: stored, tell: null };
  if (seen.kind === 'failing') return whileFailing(stored, seen.since, settleMs, now);
  if (stored === null || !stored.isOn) return { next: null, tell: null };
  const turningSince = stored.turningSince ?? now;
  if (now.getTime() - turningSince.getTime() >= wellForMs) return { next: null, tell: 'over' };
  return { next: { ...stored, turningSince }, tell: null };
}

function whileFailing(stored: StoredAlarm | null, since: Date | null, settleMs: number, now: Date): AlarmTurn {
  if (stored?.isOn === true) return { next: { ...stored, turningSince: null }, tell: null };
  const turningSince = stored?.turningSince ?? now;
  const began = stored?.since ?? since ?? now;
  if (now.getTime() - turningSince.getTime() < settleMs) {
    return { next: { isOn: false, since: began, turningSince }, tell: null };
  }
  return { next: { isOn: true, since: began, turningSince: null }, tell: 'on' };
}
