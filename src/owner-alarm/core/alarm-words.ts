import type { AlarmRule } from './alarm-rules.ts';
import type { Facts } from './alarm-turn.ts';

const minuteMs = 60_000;
const errorMax = 300;

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 16)} UTC`;

/** `3 h 20 min`. */
function lasting(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

const spanOf = (from: Date, to: Date): string =>
  `from ${timeOf(from)} to ${timeOf(to)} (${lasting(to.getTime() - from.getTime())})`;

/** A platform's words may contain mentions: an alarm must not notify anyone by them. */
const harmless = (text: string): string => text.replaceAll('@', '(at)').replaceAll(/\s+/g, ' ').slice(0, errorMax);

interface Place {
  readonly productName: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

/** What, since when, what it means for users, where to look. */
export const wordsOfAlarm = (rule: AlarmRule, since: Date, facts: Facts, { productName, publicUrl }: Place): string =>
  [
    `${productName}: ${harmless(rule.what(facts))}`,
    `Since ${timeOf(since)} (${lasting(facts.now.getTime() - since.getTime())}).`,
    rule.meaning,
    rule.look,
    `${publicUrl}/admin`,
  ].join('\n');

/** From when to when it failed; reported late because it had to stay well first. */
export const wordsOfRecovery = (rule: AlarmRule, from: Date, to: Date, { productName }: Place): string =>
  `${productName}: ${rule.over} The trouble lasted ${spanOf(from, to)}.`;

/** Reported when it is over, because reports go through the database. */
export const wordsOfSilence = (from: Date, to: Date, { productName }: Place): string =>
  [
    `${productName}: The database was silent ${spanOf(from, to)}.`,
    'Public pages showed their last figures; the bots and the admin area stood still. What was waiting goes on now.',
    'The log of the product and that of the database say why.',
  ].join('\n');
