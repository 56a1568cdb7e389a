import { z } from 'zod';

import { canonicalWallet } from '../../shared/sui-address.ts';
import { declaredRoles, wordsMax } from '../core/ledger-words.ts';

/** The calls of the admin tab 'Treasury': what the team says of movements and addresses (rulings R8). */

const change = { at: z.iso.datetime().describe('The version for If-Match, in milliseconds'), by: z.string() };

/** What is said of one movement, or of one address; null: nothing, which is version 0. */
const noteOfMovement = z.object({
  digest: z.string(),
  note: z.object({ text: z.string(), link: z.string().nullable(), ...change }).nullable(),
});
export type NoteOfMovement = z.infer<typeof noteOfMovement>;

const declared = z.object({ name: z.string(), role: z.enum(declaredRoles), ...change });
const nameOfAddress = z.object({ address: z.string(), declared: declared.nullable() });
export type NameOfAddress = z.infer<typeof nameOfAddress>;

export const noteAnswer = z.object({ data: noteOfMovement });
export const nameAnswer = z.object({ data: nameOfAddress });
export const namesAnswer = z.object({ data: z.array(nameOfAddress).readonly() });

/** 409: somebody else saved meanwhile (rulings R6). */
const stale = { message: z.string(), code: z.literal('stale') };
export const staleNote = z.object({ ...stale, current: noteOfMovement });
export const staleName = z.object({ ...stale, current: nameOfAddress });

export const noteParams = z.strictObject({
  digest: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'This is not the digest of a transaction.' }),
});

export const addressParams = z.strictObject({
  address: z
    .string()
    .refine((text) => canonicalWallet(text) !== null, {
      error: 'A Sui address is 0x followed by 64 hexadecimal digits. This is not one.',
    })
    .transform((text) => canonicalWallet(text) ?? text),
});

/** Users' browsers follow it: nothing but a page of the encrypted web, without a name and password in front. */
function isPageLink(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}

export const noteBody = z.strictObject({
  text: z.string().min(1).max(wordsMax.note),
  link: z
    .string()
    .max(wordsMax.link)
    .refine(isPageLink, { error: 'A link begins with https:// and leads to a page.' })
    .transform((text) => new URL(text).href)
    .nullable(),
});

export const nameBody = z.strictObject({ name: z.string().min(1).max(wordsMax.name), role: z.enum(declaredRoles) });
