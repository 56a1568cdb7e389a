import { z } from 'zod';

/**
 * Text of anybody's making, cut to a length. PostgreSQL keeps neither zero characters nor halves of a surrogate pair, and
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
