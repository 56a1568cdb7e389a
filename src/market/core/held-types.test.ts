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
])('wanted %s matches held %s: %s', (wanted, held, isOne) => {
  expect(isOfType(wanted, held)).toBe(isOne);
});

describe('whether a marketplace collection may hold a type', () => {
  test.each([
    ['the type itself', glowing, glowing, true],
    ['the type without arguments', worm, glowing, true],
    ['one instance of the type', glowing, worm, true],
    ['its package', address, glowing, true],
    ['another package', `0x${'b'.repeat(64)}`, glowing, false],
    ['another instance', dark, glowing, false],
    ['a plain word', 'worms', glowing, false],
  ])('if its slug is %s', (_how, slug, nftType, may) => {
    expect(mayHoldType(slug, nftType)).toBe(may);
  });
});
