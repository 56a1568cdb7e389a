import { z } from 'zod';
import { fromDecimalText } from '../../shared/money.ts';
import { canonicalAddress } from '../../shared/sui-address.ts';

/** The chain's own limit (u64). */
const mistMax = 2n ** 64n - 1n;

/** MIST as the indexer writes it: a number in some rows, a string in others, sometimes with a fraction of zeros. */
export const mistAmount = z.union([z.number(), z.string().max(80)]).transform((value, context) => {
  const mist = fromDecimalText(String(value), 0);
  if (mist !== null && mist >= 0n && mist <= mistMax) return mist;
  context.addIssue({ code: 'custom', message: 'not an amount of MIST' });
  return z.NEVER;
});

const firstMs = Date.UTC(1970, 0);
const lastMs = Date.UTC(9999, 11, 31);

/** `2026-11-20T10:00:00.123` without a zone is UTC (indexer's convention); with one it is taken at its word. */
export const utcTime = z
  .string()
  .max(40)
  .transform((text, context) => {
    const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
    const time = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`);
    // Beyond the year 9999 JavaScript writes a sign, which PostgreSQL does not read.
    if (time.getTime() >= firstMs && time.getTime() <= lastMs) return time;
    context.addIssue({ code: 'custom', message: 'no time' });
    return z.NEVER;
  });

/** Canonical. A wallet that cannot be read is not known; what else the row says is true without it. */
export const optionalWallet = z
  .string()
  .max(100)
  .transform((text) => canonicalAddress(text))
  .nullable()
  .catch(null);

/** A count of things; the indexer sends some as strings. */
export const wholeCount = z.union([z.int().min(0), z.string().regex(/^\d{1,15}$/)]).transform(Number);

/**
 * Untrusted text, cut to a length. PostgreSQL keeps neither zero characters nor halves of a surrogate pair, and
 * one such name must not stop everything that is stored with it.
 */
const cutText = (lengthMax: number) =>
  z.string().transform((text) => text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed());

/** Text that describes and identifies nothing: unreadable, it is simply not known. */
export const optionalText = (lengthMax: number) =>
  cutText(lengthMax)
    .transform((text) => (text.trim() === '' ? null : text))
    .nullable()
    .catch(null);

/** What identifies: never cut, because the beginnings of two may be the same. */
export const identifier = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'no identifier');
