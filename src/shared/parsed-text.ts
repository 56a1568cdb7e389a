import { z } from 'zod';

import { canonicalWallet } from './sui-address.ts';

/** A text of a request, read by `of`; where that gives null, the call is refused with `sentence`, which also describes the field. */
export const parsed = <T>(sentence: string, of: (text: string) => T | null) =>
  z
    .string()
    .describe(sentence)
    .transform((text, context) => {
      const value = of(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message: sentence });
      return z.NEVER;
    });

/** A whole number from 1 to `max`; null: the text is not one. */
export const wholeNumber = (max: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null;

/** The id of a row. */
export const rowId = z.string().regex(/^[1-9]\d{0,17}$/, 'The id is a whole number of at most 18 digits.');

/** The address of a wallet, made canonical. */
export const walletAddress = parsed(
  'A Sui address is 0x followed by 64 hexadecimal digits. This is not one.',
  canonicalWallet,
).describe('A Sui address: 0x and 64 hexadecimal digits');
