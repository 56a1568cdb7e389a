import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')).map((object) => ({ ...object })),
  ),
})).value;

/** The same value with the keys of each object in another order. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, turned(each)]),
  );
};

describe('canonical JSON', () => {
  test('sorts keys and writes no white space', () => {
    expect(canonicalJson({ b: [1, true, null], a: { d: 'x y', c: '10' } })).toBe(
      '{"a":{"c":"10","d":"x y"},"b":[1,true,null]}',
    );
  });

  test('parses back to the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('is the same text for the same value, whatever its key order and white space were', () => {
    fc.assert(
      fc.property(values, (value) => {
        const spaced: unknown = JSON.parse(JSON.stringify(turned(value), null, 2));
        expect(canonicalJson(spaced)).toBe(canonicalJson(value));
      }),
    );
  });

  test.each([[0.5], [Number.NaN], [2 ** 53], [1n], [undefined], [new Date(0)], [new Map()]])('refuses %s', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });
});
