import { z } from 'zod';

const largestU64 = 18_446_744_073_709_551_615n;

/** Base units: a decimal string, or a number small enough to be exact. */
export const amount = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()])
  .transform((given) => BigInt(given))
  .refine((given) => given <= largestU64, 'More than a u64 can hold');

/** A command to a part of the sandbox: checks its body, then runs. */
export type CheckedCommand<Target> = (target: Target, body: unknown) => unknown;

type Present<T> = T extends (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Key in keyof T]: Present<Exclude<T[Key], undefined>> }
    : T;

/** Throws a ZodError when the body does not fit. */
export function command<Target, S extends z.ZodType>(
  schema: S,
  run: (target: Target, wanted: Present<z.infer<S>>) => unknown,
): CheckedCommand<Target> {
  return (target, body) => {
    const wanted: unknown = schema.parse(body);
    return run(target, withoutUndefined(wanted) as Present<z.infer<S>>);
  };
}

/** zod sets omitted fields to undefined; the operations expect them to be absent. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, withoutUndefined(inner)]),
  );
}
