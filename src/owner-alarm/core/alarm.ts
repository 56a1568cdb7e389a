import type { SourceReading } from '../../shared/source-status.ts';

export interface Facts {
  readonly now: Date;
  /** When this copy of the product began to check. */
  readonly startedAt: Date;
  /** The figures of /metrics; null: there is nothing to count; absent: it could not be read. */
  readonly figures: Readonly<Record<string, number | null>>;
  readonly sources: readonly SourceReading[];
  /** How old the last good reading of a source may be. */
  readonly sourceLimitMs: number;
  /** Coins of the treasury that do not add up: '+12.5 SUI'; null: none. */
  readonly unexplained: string | null;
  /** Payments of payouts that are not in their plan; null: not known. */
  readonly payoutProblems: readonly { readonly key: string; readonly since: Date; readonly what: string }[] | null;
  /** The platforms' own words for why a bot does not run. */
  readonly lastErrors: { readonly telegram: string | null; readonly discord: string | null };
}

/** The state of an alarm now. `since` null: its beginning is not known. */
export type AlarmState =
  | { readonly kind: 'well' }
  | { readonly kind: 'failing'; readonly since: Date | null }
  /** Cannot be judged: what was reported stays. */
  | { readonly kind: 'unknown' };

export interface AlarmRule {
  readonly alarm: string;
  /** How long it must last to be an alarm; absent: `settleMsDefault`. */
  readonly settleMs?: number;
  readonly stateOf: (facts: Facts) => AlarmState;
  readonly what: (facts: Facts) => string;
  readonly meaning: string;
  readonly whereToLook: string;
  readonly over: (facts: Facts) => string;
}

/** An alarm as stored. Nothing is stored while all is well and no alarm is on. */
export interface StoredAlarm {
  readonly isOn: boolean;
  readonly since: Date;
  /** Since when the state has differed from what was reported; null: it does not differ. */
  readonly turningSince: Date | null;
}

type AlarmUpdate =
  | { readonly next: StoredAlarm; readonly notify: 'on' }
  | { readonly next: null; readonly notify: 'over' }
  | { readonly next: StoredAlarm | null; readonly notify: null };

const settleMsDefault = 60_000;

/** How long all must be well before an alarm is over: a failure that comes and goes is one alarm, not ten. */
const wellForMs = 5 * 60_000;

/** One check. Only a state that lasts turns an alarm on or off; an unknown state changes nothing. */
export function updateAlarm(stored: StoredAlarm | null, state: AlarmState, settleMs: number, now: Date): AlarmUpdate {
  if (state.kind === 'unknown') return { next: stored, notify: null };
  if (state.kind === 'failing') return whileFailing(stored, state.since, settleMs, now);
  if (stored === null || !stored.isOn) return { next: null, notify: null };
  const turningSince = stored.turningSince ?? now;
  if (now.getTime() - turningSince.getTime() >= wellForMs) return { next: null, notify: 'over' };
  return { next: { ...stored, turningSince }, notify: null };
}

function whileFailing(stored: StoredAlarm | null, since: Date | null, settleMs: number, now: Date): AlarmUpdate {
  if (stored?.isOn === true) return { next: { ...stored, turningSince: null }, notify: null };
  const turningSince = stored?.turningSince ?? now;
  const began = stored?.since ?? since ?? now;
  if (now.getTime() - turningSince.getTime() < settleMs) {
    return { next: { isOn: false, since: began, turningSince }, notify: null };
  }
  return { next: { isOn: true, since: began, turningSince: null }, notify: 'on' };
}

/** One check of a rule: what to store from now on, and the message to the owner. null: nothing. */
export function checkRule(rule: AlarmRule, stored: StoredAlarm | null, facts: Facts, place: Place) {
  const { now } = facts;
  const { next, notify } = updateAlarm(stored, rule.stateOf(facts), rule.settleMs ?? settleMsDefault, now);
  if (notify === null) return { next, text: null };
  if (notify === 'on') return { next, text: alarmText(rule, next.since, facts, place) };
  return { next, text: recoveryText(rule.over(facts), stored?.since ?? now, stored?.turningSince ?? now, place) };
}

/**
 * Since when no copy has checked, although this one ran all the time: the database did not answer, or the machine or this job stood
 * still. null: a check was less than `gapMs` ago, or was before this copy started.
 */
export function uncheckedSince(
  lastCheckAt: Date | null,
  { startedAt, now }: Pick<Facts, 'startedAt' | 'now'>,
  gapMs: number,
): Date | null {
  if (lastCheckAt === null || lastCheckAt < startedAt) return null;
  return now.getTime() - lastCheckAt.getTime() >= gapMs ? lastCheckAt : null;
}

const minuteMs = 60_000;
const errorMax = 300;

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 16)} UTC`;

function lasting(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

const spanOf = (from: Date, to: Date): string =>
  `from ${timeOf(from)} to ${timeOf(to)} (${lasting(to.getTime() - from.getTime())})`;

/** A platform's words may contain mentions, which must not notify anyone. */
const harmless = (text: string): string => text.replaceAll('@', '(at)').replaceAll(/\s+/g, ' ').slice(0, errorMax);

interface Place {
  readonly productName: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

const alarmText = (rule: AlarmRule, since: Date, facts: Facts, { productName, publicUrl }: Place): string =>
  [
    `${productName}: ${harmless(rule.what(facts))}`,
    `Since ${timeOf(since)} (${lasting(facts.now.getTime() - since.getTime())}).`,
    rule.meaning,
    rule.whereToLook,
    `${publicUrl}/admin`,
  ].join('\n');

/** Names the time of the failure: it is sent later, because all had to stay well first. */
const recoveryText = (over: string, from: Date, to: Date, { productName }: Place): string =>
  `${productName}: ${over} The alarm lasted ${spanOf(from, to)}.`;

/** Sent when the silence is over, because messages go through the database. */
export const checkGapText = (from: Date, to: Date, { productName }: Place): string =>
  [
    `${productName}: Nothing was checked ${spanOf(from, to)}. The database did not answer, or the machine or this job stood still.`,
    'If it was the database, public pages showed their last figures, and the bots and the admin area stood still. What was waiting now continues.',
    'The logs of the product and of the database say why.',
  ].join('\n');
