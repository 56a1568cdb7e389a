import { expect, it } from 'vitest';

import { createEncodingMemory, negotiateEncoding } from './negotiation.ts';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0.5, identity', 'identity'],
  ['gzip;q=0.001', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity;q=0, *;q=0', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  [' br ; q=1 ', 'br'],
])('answers "%s" in %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});

it('gives the same answers from memory, however many headers it has seen', () => {
  const remember = createEncodingMemory();
  for (let round = 0; round < 600; round += 1) remember(`br;q=0.${round}`);
  expect([remember('gzip'), remember('gzip'), remember(undefined)]).toEqual(['gzip', 'gzip', 'identity']);
});
