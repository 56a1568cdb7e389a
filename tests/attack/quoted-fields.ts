import * as fc from 'fast-check';

import type { DescribedCall, JsonSchema } from './described-calls.ts';
import { valuesOf } from './described-values.ts';
import type { GeneratedRequest, KnownValues } from './generated-requests.ts';

/** Ends a text in SQL, a name, a pattern and a statement: where it is put together from texts, the database refuses it. */
const quote = String.raw`'";--\%_`;

const good = (name: string, schema: JsonSchema, known: KnownValues): unknown =>
  known[name]?.[0] ?? fc.sample(valuesOf(schema), { seed: 1, numRuns: 1 })[0];

/**
 * One request for each field of a call, in which that field is the quote and all others are good: it comes as far as the database
 * where its schema lets any text through. Generated requests come there by luck alone.
 */
export function quotedRequests(call: DescribedCall, known: KnownValues): readonly GeneratedRequest[] {
  const { method, parameters, body } = call;
  const targetWith = (quoted: string): string => {
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const schema = parameters.find((each) => each.name === name)?.schema ?? {};
      return encodeURIComponent(name === quoted ? quote : String(good(name, schema, known)));
    });
    const isInQuery = parameters.some((each) => each.in === 'query' && each.name === quoted);
    return isInQuery ? `${path}?${quoted}=${encodeURIComponent(quote)}` : path;
  };
  const fields = Object.entries(body?.properties ?? {});
  const bodyWith = (quoted: string): Buffer | null => {
    if (fields.length === 0) return null;
    const values = fields.map(([name, schema]) => [name, name === quoted ? quote : good(name, schema, known)]);
    return Buffer.from(JSON.stringify(Object.fromEntries(values)));
  };
  const names = new Set([...parameters.map(({ name }) => name), ...fields.map(([name]) => name)]);
  return [...names].map((name) => {
    const sent = bodyWith(name);
    const headers = sent === null ? [] : [['Content-Type', 'application/json'] as const];
    return { call, role: 'admin', method, target: targetWith(name), headers, body: sent };
  });
}
