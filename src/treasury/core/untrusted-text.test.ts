import { describe, expect, test } from 'vitest';

import { cleanText } from '../../shared/clean-text.ts';
import { knownCoins } from './known-coins.ts';
import { cleanIconUrl, isImpersonator } from './untrusted-text.ts';

const other = `0x${'e'.repeat(64)}::coin::COIN`;

describe('texts from outside', () => {
  test.each([
    ['U+0000, which PostgreSQL refuses', 'a\u0000b', 'ab'],
    ['a lone surrogate, which JSON columns refuse', 'a\ud800b', 'ab'],
    ['a right-to-left override', 'abc\u202Etxt', 'abctxt'],
    ['zero width letters', 'S\u200BUI', 'SUI'],
    ['line breaks', ' a\n\r\n b ', 'a b'],
    ['emoji are kept whole', '🪨🪨🪨', '🪨🪨'],
  ])('%s', (_what, text, clean) => {
    expect(cleanText(text, text.startsWith('🪨') ? 2 : 32)).toBe(clean);
  });

  test('are cut, however long', () => {
    expect(cleanText('x'.repeat(1_000_000), 32)).toHaveLength(32);
  });

  test.each([
    ['https://icons.example/sui.svg', true],
    ['http://icons.example/sui.svg', false],
    ['data:image/svg+xml,<svg/>', false],
    ['javascript:alert(1)', false],
    ['https://a.example/"><script>', false],
    ['', false],
  ])('an icon at %s is kept: %s', (url, kept) => {
    expect(cleanIconUrl(url)).toBe(kept ? url : null);
  });
});

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
    for (const coin of knownCoins) {
      for (const coinType of coin.coinTypes) expect(isImpersonator(coinType, 'USDC')).toBe(false);
    }
  });
});
