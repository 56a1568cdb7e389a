import { z } from 'zod';
import { cleanText } from '../../shared/foreign-text.ts';
import { walletAddress } from '../../shared/parsed-text.ts';
import { canonicalType } from '../../shared/sui-address.ts';
import { amountModes, payoutWords } from './payout-words.ts';

/** How many rows a draft may leave out, besides the treasury. */
const leftOutMax = 100;

/** At least 1 base unit, at most 31 digits: no coin has more. */
const amountRaw = z.string().regex(/^[1-9]\d{0,30}$/, 'An amount is a whole number of base units above 0.');
export const words = (what: string, max: number) =>
  z
    .string()
    .transform((text) => cleanText(text, max))
    .refine((text) => text !== '', { error: `The ${what} has no visible letter.` });

const rocksLeftOutMax = 1_000;

/** An address, or the numbers of rocks without a known owner and the address null. */
const leftOutRow = z
  .strictObject({
    address: walletAddress.nullable(),
    rocks: z.array(z.int().min(1)).max(rocksLeftOutMax).optional().describe('Ascending'),
    reason: words('reason', payoutWords.leftOutReason),
  })
  .refine(({ address: who, rocks = [] }) => (who === null) === rocks.length > 0, {
    error: 'Leave out an address, or rocks without a known owner by their numbers.',
  });

/** The terms of a draft. `leftOut`: who is left out besides the treasury, each with a reason that is published. */
export const draftTerms = z.strictObject({
  title: words('title', payoutWords.title),
  reason: words('reason', payoutWords.reason),
  coinType: z
    .string()
    .max(500)
    .refine((text) => canonicalType(text) !== null, { error: 'This is not a coin type.' })
    .transform((text) => canonicalType(text) ?? text),
  amount: z.strictObject({ mode: z.enum(amountModes), raw: amountRaw }),
  leftOut: z.array(leftOutRow).max(leftOutMax).default([]),
});
export type DraftTerms = z.output<typeof draftTerms>;
