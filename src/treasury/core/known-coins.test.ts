import { describe, expect, test } from 'vitest';

import { isImpersonator, knownCoinTypes } from './known-coins.ts';

const other = `0x${'e'.repeat(64)}::coin::COIN`;

describe('rulings R3: impersonators', () => {
  test.each(['USDC', 'usdc', ' U S D C ', '$USDC', 'USDС', 'ＵＳＤＣ', 'UṢDĊ', 'SUI', 'ЅUІ', 'hasui'])(
    '%s under another type',
    (symbol) => {
      expect(isImpersonator(other, symbol)).toBe(true);
    },
  );

  test.each([
    ['a small L, a one and a bar for an I', ['SUl', 'SU1', 'SU|', 'vSUl']],
    ['small Greek and Armenian letters that look like others than their capitals', ['υSDC', 'νSUI', 'Ѕսі', 'ՍSDC']],
    ['the lunate sigma', ['USDϹ', 'usdϲ']],
    ['Cyrillic letters of other languages', ['USԀC', 'ԜAL', 'SUӀ', 'suӏ']],
    ['letters with a stroke', ['USĐC', 'USÐC', 'SɄI', 'SUƗ', 'WAŁ']],
    ['small capitals', ['ᴜꜱᴅᴄ', 'ꜱᴜɪ', 'ᴅᴇᴇᴘ', 'ʙʟᴜᴇ', 'ᴡᴀʟ', 'ᴄᴇᴛᴜꜱ', 'ʙᴜᴄᴋ', 'ꜱᴄᴀ', 'ɴꜱ', 'ᴇᴛʜ', 'ᴜꜱᴅʏ']],
    ['Cherokee and Lisu letters', ['ᏚUI', 'ꓢꓴꓲ', 'ꓓꓰꓰꓑ', 'ꓪꓮꓡ', 'ꮪUI']],
    ['letters in dark circles and squares, and of flags', ['🅢🅤🅘', '🆂🆄🅸', '🇸🇺🇮', '🅦🅐🅛']],
  ])('%s make no other symbol', (_what, symbols) => {
    expect(symbols.filter((symbol) => !isImpersonator(other, symbol))).toEqual([]);
  });

  test.each(['MEME', 'SUIDOG', 'SUL', 'AI', 'LUIS', 'Σ', '', '🪨'])('%s is nobody else', (symbol) => {
    expect(isImpersonator(other, symbol)).toBe(false);
  });

  test('a known coin may call itself as it likes', () => {
    for (const coinType of knownCoinTypes) expect(isImpersonator(coinType, 'USDC')).toBe(false);
  });
});
