import { describe, expect, it } from 'vitest';
import { foreignText } from './foreign-text.ts';

describe('Rulings R3: names from the chain are untrusted text', () => {
  it('keeps a plain name as it is', () => {
    expect(foreignText('Wrapped Bitcoin', 24)).toBe('Wrapped Bitcoin');
  });

  it('cuts a long name to the given number of visible characters', () => {
    expect(foreignText('A'.repeat(500), 12)).toBe(`${'A'.repeat(11)}…`);
  });

  it('counts the ellipsis of a shortened address as one character', () => {
    expect(foreignText('0x1234…abcd::rocks::ROCK', 12)).toBe('0x1234…abcd…');
  });

  it('counts visible characters, not code units', () => {
    expect(foreignText('💎💎💎', 3)).toBe('💎💎💎');
  });

  it.each([
    ['right-to-left override', '\u202Egnp.exe'],
    ['zero-width space', 'S\u200BUI'],
    ['null and bell', 'S\u0000U\u0007I'],
    ['line breaks', 'S\nU\r\nI'],
  ])('removes %s', (_name, text) => {
    expect(foreignText(text, 24)).toMatch(/^[\w. ]+$/);
  });

  it('limits combining marks that would paint over other rows', () => {
    expect(foreignText(`Z${'\u0335'.repeat(400)}`, 24).length).toBeLessThanOrEqual(3);
  });

  it("is 'unnamed' when nothing printable is left", () => {
    expect(foreignText('\u200B\u200B', 24)).toBe('unnamed');
    expect(foreignText(null, 24)).toBe('unnamed');
  });
});
