import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { type Call, callApi } from './api-client.ts';

/**
 * Schemas for reading answers in the browser. Rulings R2: pages need only the fields of specification 3 and 7; any other field may be
 * absent, null or of an unknown shape. Such a field reads as null: the page says 'not known' or leaves it out, and one odd field spoils
 * nothing else. The server's own schemas (`contract.ts`) say what it really sends.
 */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => orElse(z.nullable(schema), null);

export const text = orNull(z.string());
export const number = orNull(z.number());
export const flag = orNull(z.boolean());
/** ISO time. */
export const instant = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value))));
export const time = orNull(instant);
/** For fields where null has a meaning ('never', 'none'): undefined means not known. */
export const orUnknown = <Schema extends z.ZodMiniType>(schema: Schema) =>
  orElse(z.optional(z.nullable(schema)), undefined);
/** Fields of the specification, with its fallback where they are missing. */
export const textOrNone = orElse(z.string(), '');
export const flagOrOff = orElse(z.boolean(), false);
/** A row's id, text or number; an entry without one is left out. */
export const rowId = z.pipe(z.union([z.string(), z.number()]), z.transform(String));
/** One of these words; any other reads as null. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) => orNull(z.enum(words));
export const part = <Shape extends z.core.$ZodShape>(shape: Shape) => orNull(z.object(shape));

/** Entries of another shape are left out; null: no list. Put `z.object` around fields that may be null. */
export const rows = <Row extends z.ZodMiniType>(row: Row) => orNull(list(row));

/** The same for an answer that is useless without its list: anything but a list is refused. */
export const list = <Row extends z.ZodMiniType>(row: Row) =>
  z.pipe(
    z.array(orNull(row)),
    z.transform((entries) => entries.filter((entry) => entry !== null)),
  );

type Readings = Readonly<Record<string, z.ZodMiniType>>;

/** What `readable(schema, needed, own)` reads. */
export type Readable<Schema, Needed extends string = never, Own extends Readings = {}, Parent extends string = ''> =
  Schema extends z.ZodMiniObject<infer Shape>
    ? { [Name in keyof Shape & string]: ReadField<Shape[Name], Name, `${Parent}.${Name}`, Needed, Own> }
    : Schema extends z.ZodMiniArray<infer Row>
      ? Readable<Row, Needed, Own, Parent>[]
      : Schema extends z.ZodMiniNullable<infer Inner>
        ? Readable<Inner, Needed, Own, Parent> | null
        : Schema extends z.ZodMiniReadonly<infer Inner> | z.ZodMiniOptional<infer Inner>
          ? Readable<Inner, Needed, Own, Parent>
          : z.output<Schema>;

type ReadField<
  Schema,
  Name extends string,
  Path extends string,
  Needed extends string,
  Own extends Readings,
> = Path extends keyof Own
  ? z.output<Own[Path]>
  : Name extends keyof Own
    ? z.output<Own[Name]>
    : Readable<Schema, Needed, Own, Name> | ([Needed & (Name | Path)] extends [never] ? null : never);

/**
 * Reads what a contract describes, with every field null that is absent or odd, except the `needed` ones, without which the object that
 * they belong to is left out, and those with an `own` reading. Both are given by name, or as `rows.name` for a name only within `rows`.
 */
export const readable = <Schema extends z.ZodMiniType, const Needed extends string = never, Own extends Readings = {}>(
  schema: Schema,
  needed: readonly Needed[] = [],
  own?: Own,
) =>
  // Built with the first answer: all of a page's at once would keep it from being drawn.
  z.lazy(() => tolerant(schema, new Set<string>(needed), own ?? {}, '')) as z.ZodMiniType<
    Readable<Schema, Needed, Own>
  >;

function tolerant(schema: z.core.$ZodType, needed: ReadonlySet<string>, own: Readings, parent: string): z.ZodMiniType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => {
        const path = `${parent}.${name}`;
        const read = () => tolerant(field, needed, own, name);
        return [
          name,
          own[path] ?? own[name] ?? (needed.has(name) || needed.has(path) ? read() : orNull(read())),
        ] as const;
      });
      return z.object(Object.fromEntries(fields));
    }
    case 'array':
      return list(tolerant(def.element, needed, own, parent));
    case 'nullable':
      return z.nullable(tolerant(def.innerType, needed, own, parent));
    case 'readonly':
    case 'optional':
      return tolerant(def.innerType, needed, own, parent);
    default:
      return 'format' in def && def.format === 'datetime' ? instant : (schema as z.ZodMiniType);
  }
}

/** The `data` of a call's answer, read with `schema`. An answer without it (a proxy's page) is a failure, not an empty screen. */
export async function readAnswer<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
  return dataOf(call.path, await callApi(call), schema);
}

/** The same for an answer already received. Throws if it does not fit. */
export function dataOf<Schema extends z.ZodMiniType>(path: string, answer: unknown, schema: Schema): z.output<Schema> {
  const read = schema.safeParse(fullAnswerOf(path, answer).data);
  if (!read.success) throw noAnswer(path, read.error);
  return read.data;
}

/** The answer with its `data`, of any shape. Throws if there is none, as on a proxy's login page. */
export function fullAnswerOf(path: string, answer: unknown): { readonly data?: unknown } {
  const whole = answer as { readonly data?: unknown } | null;
  if (whole?.data === undefined) throw noAnswer(path);
  return whole;
}

const noAnswer = (path: string, cause?: unknown): Error => new Error(`${path} did not answer as expected`, { cause });

/** The same for the answer to a change. undefined: it holds nothing usable (specification 7 shows no such body). */
export const dataIn = <Schema extends z.ZodMiniType>(answer: unknown, schema: Schema): z.output<Schema> | undefined =>
  schema.safeParse((answer as { readonly data?: unknown } | null)?.data).data;
