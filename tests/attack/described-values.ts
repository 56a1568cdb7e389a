import * as fc from 'fast-check';

import type { JsonSchema } from './described-calls.ts';

/** Dates ignore their pattern: fast-check generates them directly. */
const text = ({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> => {
  if (format === 'date-time') {
    const [min, max] = [new Date('2020-01-01'), new Date('2040-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
};

function whole({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  return fc.integer({ min: minimum ?? -(2 ** 31), max: maximum ?? 2 ** 31 - 1 });
}

/** Values that fit a schema of the description. Throws for a kind of schema that no request has used so far. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (typeof schema.type === 'object') return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return whole(schema);
    case 'null':
      return fc.constant(null);
    case 'object': {
      const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, valuesOf(part)] as const);
      return fc.record(Object.fromEntries(parts), { requiredKeys: [...(schema.required ?? [])] });
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    default:
      throw new Error(`No values can be generated for this schema yet: ${JSON.stringify(schema)}`);
  }
}
