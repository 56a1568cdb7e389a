import { describe, expect, test } from 'vitest';

import { isOfType, mayHoldType } from './held-types.ts';

const address = `0x${'a'.repeat(64)}`;
const worm = `${address}::worm::Worm`;
const glowing = `${worm}<${address}::glow::GLOW>`;
const dark = `${worm}<${address}::dark::DARK>`;

test.each([
  [worm, worm, true],
  [worm, glowing, true],
  [glowing, glowing, true],
  [glowing, dark, false],
  [glowing, worm, false],
  [worm, `${address}::worm::Wormhole`, false],
])('whoever wants %s gets %s: %s', (wanted, held, isOne) => {
  expect(isOfType(wanted, held)).toBe(isOne);
});

describe('a collection of the marketplace may hold a type', () => {
  test.each([
    ['known by the type itself', glowing, glowing, true],
    ['known by the type without arguments', worm, glowing, true],
    ['known by one instance of it', glowing, worm, true],
    ['known by the package', address, glowing, true],
    ['not by another package', `0x${'b'.repeat(64)}`, glowing, false],
    ['not by another instance', dark, glowing, false],
    ['not by a word', 'worms', glowing, false],
  ])('%s', (_how, slug, nftType, may) => {
    expect(mayHoldType(slug, nftType)).toBe(may);
  });
});
