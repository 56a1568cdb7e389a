import { describe, expect, test } from 'vitest';

import { isImpersonator, knownCoinTypes } from './known-coins.ts';

const other = `0x${'e'.repeat(64)}::coin::COIN`;

describe('rulings R3: impersonators', () => {
  test.each(['USDC', 'usdc', ' U S D C ', '$USDC', 'SUI', 'hasui', 'SUl', 'SU1', 'SU|', 'vSUl'])(
    '%s under another type',
    (symbol) => {
      expect(isImpersonator(other, symbol)).toBe(true);
    },
  );

  test.each(['USDС', 'ЅUІ', 'ＵＳＤＣ', 'UṢDĊ', 'υSDC', 'ꜱᴜɪ', '🅢🅤🅘', '🪨', 'SU\u200bI', 'MEME\n'])(
    '%j, with a character that Sui allows in no symbol',
    (symbol) => {
      expect(isImpersonator(other, symbol)).toBe(true);
    },
  );

  test.each(['MEME', 'SUIDOG', 'SUL', 'AI', 'LUIS', ''])('%s is not an impersonator', (symbol) => {
    expect(isImpersonator(other, symbol)).toBe(false);
  });

  test('a known coin may have any symbol', () => {
    for (const coinType of knownCoinTypes) expect(isImpersonator(coinType, 'USDC')).toBe(false);
  });
});
