import { expect, test } from 'vitest';

import { bats, fact, market, readingOf, rocks, sui } from '../../../tests/support/treasury-reading.ts';
import { mayCount } from './nft-valuation.ts';

test('pieces of a collection may count when it is verified and has a floor, and of any while the marketplace never answered', () => {
  const known = market(fact(rocks), fact(bats, { verified: false }));
  const reading = readingOf([sui], { market: known });
  expect(['0xe::prize::Prize', rocks, bats].map((type) => mayCount(type, reading))).toEqual([false, true, false]);
  const noFloor = readingOf([sui], { market: market(fact(rocks, { floorMist: null })) });
  expect(mayCount(rocks, noFloor)).toBe(false);
  expect([null, readingOf([sui], { market: null })].map((unread) => mayCount(bats, unread))).toEqual([true, true]);
});
