import { expect, it } from 'vitest';

import { negotiateEncoding } from './negotiation.ts';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000 , gzip;q=0.5', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'identity'],
  ['brotli', 'identity'],
  [' br ; q=1 ', 'br'],
])('answers "%s" in %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});
