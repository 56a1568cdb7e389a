import { hasRight, type NeededRight, type Rights } from '../../shared/rights.ts';

const hourMs = 3_600_000;

/** An admin who closes the laptop for the night is still signed in the next morning; a forgotten browser is signed out in the end. */
const idleMs = 24 * hourMs;
const longestMs = 7 * 24 * hourMs;
/** A session's use is saved no more often than this, so that a poll every 30 s does not write each time. */
const noteEveryMs = 60_000;

export interface SessionLife {
  readonly lastSeenAt: Date;
  /** When it ends unless it is used before; never later than `expiresAt`. */
  readonly idleExpiresAt: Date;
  /** When it ends in any case. */
  readonly expiresAt: Date;
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other);

export function newLife(at: Date): SessionLife {
  return { lastSeenAt: at, idleExpiresAt: later(at, idleMs), expiresAt: later(at, longestMs) };
}

export const isExpired = ({ idleExpiresAt, expiresAt }: SessionLife, at: Date): boolean =>
  idleExpiresAt <= at || expiresAt <= at;

/** The life of a session that is used at `at`; null: too soon to save it again. */
export function extendedLife(life: SessionLife, at: Date): SessionLife | null {
  if (at.getTime() - life.lastSeenAt.getTime() < noteEveryMs) return null;
  return { ...life, lastSeenAt: at, idleExpiresAt: earlierOf(later(at, idleMs), life.expiresAt) };
}

/** How long a second factor is valid for calls that ask for it again. */
const confirmedMs = 10 * 60_000;
export const confirmedUntil = (confirmedAt: Date): Date => later(confirmedAt, confirmedMs);

interface SessionAccess {
  readonly user: { readonly rights: Rights | null };
  readonly hasSecondFactor: boolean;
  /** When a second factor was last given; null: never in this session. */
  readonly confirmedAt: Date | null;
}

export type AccessProblem = 'not-signed-in' | 'not-an-admin' | 'right-missing' | 'second-factor-required';

/** Why this session, or a caller without one, may not make the call; null: they may. */
export function accessProblem(
  session: SessionAccess | null,
  needs: { readonly access: 'public' | NeededRight; readonly needsSecondFactorAgain: boolean },
  at: Date,
): AccessProblem | null {
  if (needs.access === 'public') return null;
  if (session === null) return 'not-signed-in';
  const { user, hasSecondFactor, confirmedAt } = session;
  if (user.rights === null) return 'not-an-admin';
  if (!hasRight(user.rights, needs.access)) return 'right-missing';
  if (!needs.needsSecondFactorAgain || !hasSecondFactor) return null;
  const isConfirmed = confirmedAt !== null && at < confirmedUntil(confirmedAt);
  return isConfirmed ? null : 'second-factor-required';
}

/** How a session's owner recognizes it: 'Firefox on Linux'. From the browser's User-Agent (RFC 9110, 10.1.5), which proves nothing. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];

/** In this order, because Android also says Linux and an iPhone also says Mac OS X. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** null: neither browser nor system is recognized. */
export function browserInWords(userAgent: string | null): string | null {
  const named = (names: typeof browsers): string | null =>
    userAgent === null ? null : (names.find(([shape]) => shape.test(userAgent))?.[1] ?? null);
  const browser = named(browsers);
  const system = named(systems);
  if (browser === null) return system === null ? null : `A browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}
