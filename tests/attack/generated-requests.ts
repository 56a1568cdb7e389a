import * as fc from 'fast-check';

import type { DescribedCall, JsonSchema, Parameter } from './described-calls.ts';
import { valuesOf } from './described-values.ts';
import { hostileBody, hostileHeaders, hostileKey, hostileText, hostileValue } from './hostile-values.ts';

const roles = ['anonymous', 'user', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Names and ids that exist in the product, by field name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

export interface GeneratedRequest {
  readonly call: DescribedCall;
  readonly role: Role;
  readonly method: string;
  /** Path and query as sent over the wire. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

/** Percent-encodes the characters that a client cannot write into the first line of a request. */
const asTarget = (address: string): string =>
  address.toWellFormed().replaceAll(/[^\u0021-\u00FF]/gu, (character) => encodeURIComponent(character));

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

/** Four times out of five a known value, otherwise any value that fits the schema. */
function fitting(name: string, schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const values = known[name] ?? [];
  return values.length === 0
    ? valuesOf(schema)
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: valuesOf(schema) });
}

/** Three of five parts of an address fit; the others are hostile, percent-encoded or raw. */
const partOf = ({ name, schema }: Parameter, known: KnownValues): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fitting(name, schema, known).map(encoded) },
    { weight: 1, arbitrary: hostileText.map((text) => encoded(text.slice(0, 600))) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%00', '%ff', '%c0%af', '..', '.', '%2e%2e%2f', '//', ';a=b') },
  );

function targetsOf(call: DescribedCall, known: KnownValues): fc.Arbitrary<string> {
  const inPath = call.parameters.filter((each) => each.in === 'path');
  const inQuery = call.parameters.filter((each) => each.in === 'query');
  const path = fc
    .record(Object.fromEntries(inPath.map((each) => [each.name, partOf(each, known)])))
    .map((parts) => call.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => parts[name] ?? ''));
  const pairs = inQuery.map((each) => partOf(each, known).map((value) => `${each.name}=${value}`));
  const odd = fc.constantFrom('__proto__[a]=1', 'limit=1&limit=2', 'a[]=1', '&&==', '%', 'before', '?', '#');
  const query = fc.array(fc.oneof(...pairs, odd), { maxLength: 3 });
  return fc.tuple(path, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: query })).map(
    // Most calls take no query, and must refuse any parameter by name.
    ([address, parts]) => asTarget(parts.length === 0 ? address : `${address}?${parts.join('&')}`),
  );
}

/** A good body with one field replaced, left out or added. */
function mutated(schema: JsonSchema, good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const change = fc.oneof(
    fc.record({ name: fc.constantFrom(...names), value: hostileValue }),
    fc.record({ name: fc.constantFrom(...names), value: fc.constant(undefined) }),
    fc.record({ name: hostileKey, value: hostileValue }),
  );
  return fc.tuple(good, change).map(([body, { name, value }]) => {
    const entries = Object.entries(body as object).filter(([each]) => each !== name);
    // Built from entries, because assigning to __proto__ would not create a field of that name.
    return Object.fromEntries([...entries, [name, value]]);
  });
}

const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null');

function bodiesOf({ body }: DescribedCall, known: KnownValues): fc.Arbitrary<Buffer | null> {
  if (body === null) {
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: hostileValue.map(asJson) },
      { weight: 1, arbitrary: hostileBody },
    );
  }
  const properties = Object.entries(body.properties ?? {});
  const parts = properties.map(([name, schema]) => [name, fitting(name, schema, known)] as const);
  const good = fc.record(Object.fromEntries(parts), { requiredKeys: [...(body.required ?? [])] });
  return fc.oneof(
    { weight: 4, arbitrary: good.map(asJson) },
    { weight: 5, arbitrary: mutated(body, good).map(asJson) },
    { weight: 1, arbitrary: hostileValue.map(asJson) },
    { weight: 2, arbitrary: hostileBody },
  );
}

const contentType: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=rock',
      'application/json; charset=utf-16',
      'application/json; charset=',
      'APPLICATION/JSON',
      'application/xml',
      'application/json, text/plain',
      'x'.repeat(300),
      '/',
      ';',
    ),
  },
);

const otherMethod = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE');

/** Requests to one call: valid, nearly valid, and hostile. */
export function requestsTo(call: DescribedCall, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  return fc
    .record({
      role: fc.oneof({ weight: 4, arbitrary: fc.constant('admin' as const) }, fc.constantFrom(...roles)),
      method: fc.oneof({ weight: 20, arbitrary: fc.constant(call.method) }, { weight: 1, arbitrary: otherMethod }),
      target: targetsOf(call, known),
      type: contentType,
      odd: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: hostileHeaders }),
      body: bodiesOf(call, known),
    })
    .map(({ role, method, target, type, odd, body }) => {
      const headers = type === null || body === null ? odd : [['Content-Type', type] as const, ...odd];
      return { call, role, method, target, headers, body };
    });
}
