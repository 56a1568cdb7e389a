import * as fc from 'fast-check';

import type { DescribedCall, JsonSchema } from './described-calls.ts';
import { valuesOf } from './described-values.ts';
import type { GeneratedRequest, KnownValues } from './generated-requests.ts';

/** Closes a string, a name, a pattern and a statement in SQL: a query built by concatenation would fail in the database. */
const quote = String.raw`'";--\%_`;

const good = (name: string, schema: JsonSchema, known: KnownValues): unknown =>
  known[name]?.[0] ?? fc.sample(valuesOf(schema), { seed: 1, numRuns: 1 })[0];

/** A request in which every field is good. */
export const goodRequest = (call: DescribedCall, known: KnownValues): GeneratedRequest =>
  requestWith(call, known, null);

/**
 * One request for each field of a call, with the quote in that field and good values in all others. Where the schema allows any text,
 * it reaches the database; generated requests do so only by luck.
 */
export function quotedRequests(call: DescribedCall, known: KnownValues): readonly GeneratedRequest[] {
  const names = new Set([...call.parameters.map(({ name }) => name), ...Object.keys(call.body?.properties ?? {})]);
  return [...names].map((name) => requestWith(call, known, name));
}

function requestWith(call: DescribedCall, known: KnownValues, quoted: string | null): GeneratedRequest {
  const { method, parameters } = call;
  const valueOf = (name: string, schema: JsonSchema): unknown => (name === quoted ? quote : good(name, schema, known));
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const schema = parameters.find((each) => each.name === name)?.schema ?? {};
    return encodeURIComponent(String(valueOf(name, schema)));
  });
  const isInQuery = parameters.some((each) => each.in === 'query' && each.name === quoted);
  const target = isInQuery ? `${path}?${quoted}=${encodeURIComponent(quote)}` : path;
  const fields = Object.entries(call.body?.properties ?? {});
  if (fields.length === 0) return { call, role: 'admin', method, target, headers: [], body: null };
  const values = fields.map(([name, schema]) => [name, valueOf(name, schema)]);
  const body = Buffer.from(JSON.stringify(Object.fromEntries(values)));
  return { call, role: 'admin', method, target, headers: [['Content-Type', 'application/json']], body };
}
