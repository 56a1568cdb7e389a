import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { type Call, callApi } from './api-client.ts';

/**
 * What the browser reads of an answer. Rulings R2: the pages bear exactly the answers of specification 3 and 7; whatever else an answer
 * carries may be absent, null or of a shape that is not known. So each field is null then: the page says 'not known' or leaves it out,
 * and one odd field takes nothing else with it. The server's own schemas (`contract.ts`) say what it really sends.
 */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => orElse(z.nullable(schema), null);

export const text = orNull(z.string());
export const number = orNull(z.number());
export const flag = orNull(z.boolean());
/** ISO time. */
export const instant = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value))));
export const time = orNull(instant);
/** Where null says something ('never', 'none'): undefined is what is not known. */
export const orUnknown = <Schema extends z.ZodMiniType>(schema: Schema) =>
  orElse(z.optional(z.nullable(schema)), undefined);
/** A field of the specification: what the specification shows where it is missing. */
export const textOrNone = orElse(z.string(), '');
export const flagOrOff = orElse(z.boolean(), false);
/** A row's id, of any kind; an entry without one is no row. */
export const rowId = z.pipe(z.union([z.string(), z.number()]), z.transform(String));
/** A word that this version does not know is null. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) => orNull(z.enum(words));
export const part = <Shape extends z.core.$ZodShape>(shape: Shape) => orNull(z.object(shape));

/** Entries that are not of the shape at all are left out; null: no list. Put `z.object` around fields that may be null. */
export const rows = <Row extends z.ZodMiniType>(row: Row) => orNull(list(row));

/** The same for an answer that is nothing without its list: anything else is refused. */
export const list = <Row extends z.ZodMiniType>(row: Row) =>
  z.pipe(
    z.array(orNull(row)),
    z.transform((entries) => entries.filter((entry) => entry !== null)),
  );

/** `data` of what a call is answered with, as `schema` reads it. An answer without it (a proxy's page) is a failure, not a screen without content. */
export async function readAnswer<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
  return dataOf(call.path, await callApi(call), schema);
}

/** The same of an answer that is there. Throws where it is none. */
export function dataOf<Schema extends z.ZodMiniType>(path: string, answer: unknown, schema: Schema): z.output<Schema> {
  const read = schema.safeParse(wholeOf(path, answer).data);
  if (!read.success) throw noAnswer(path, read.error);
  return read.data;
}

/** The answer with its `data`, whatever that is. The page of a proxy that wants a login first is none. */
export function wholeOf(path: string, answer: unknown): { readonly data?: unknown } {
  const whole = answer as { readonly data?: unknown } | null;
  if (whole?.data === undefined) throw noAnswer(path);
  return whole;
}

const noAnswer = (path: string, cause?: unknown): Error =>
  new Error(`${path} did not answer with what was asked for`, { cause });

/** The same of an answer that was already had: a change's. undefined: it says nothing (specification 7 shows no such body). */
export const dataIn = <Schema extends z.ZodMiniType>(answer: unknown, schema: Schema): z.output<Schema> | undefined =>
  schema.safeParse((answer as { readonly data?: unknown } | null)?.data).data;
