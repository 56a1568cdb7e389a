import { describe, expect, it } from 'vitest';
import { markLetter, shortType } from './foreign-text.ts';

describe('Generated marks stand in for foreign images', () => {
  it.each([
    ['sui', 'S'],
    ['$WAL', 'W'],
    ['   ', '?'],
    ['💎', '?'],
    [null, '?'],
  ])('%s gets the letter %s', (symbol, letter) => {
    expect(markLetter(symbol)).toBe(letter);
  });
});

describe('A coin type fits on a line', () => {
  it('keeps both ends of the address and the whole module path', () => {
    expect(shortType(`0x${'0'.repeat(63)}2::sui::SUI`)).toBe('0x0000…0002::sui::SUI');
  });

  it('leaves a short address alone', () => {
    expect(shortType('0x2::sui::SUI')).toBe('0x2::sui::SUI');
  });
});
