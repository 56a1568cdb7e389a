import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { foreignHtml, nameGraphemesMax } from './message-html.ts';

const shown = (text: string): string => foreignHtml(text, nameGraphemesMax);
const joiner = '\u2060';

describe('names from outside are shown in a message only as text:', () => {
  test.each([
    ['an ordinary name', 'Sui Rock #87', 'Sui Rock #87'],
    ['markup', '<b>&"x"\'', '&lt;b&gt;&amp;&quot;x&quot;&#39;'],
    ['a link', 'free: https://evil.com/a', `free: https:${joiner}//${joiner}evil.${joiner}com/${joiner}a`],
    ['a bare domain', 'evil.com', `evil.${joiner}com`],
    ['a mention', '@somebody', `@${joiner}somebody`],
    ['a command', '/remove', `/${joiner}remove`],
    ['a hashtag and a cashtag', '#win $SUI', `#${joiner}win $${joiner}SUI`],
    ['a number of a series stays as it is', '#87 v1.', '#87 v1.'],
    ['an amount can be copied', '0.01 SUI, 1,234.567 or (0.5).', '0.01 SUI, 1,234.567 or (0.5).'],
    ['an address of numbers', '127.0.0.1', `127.${joiner}0.${joiner}0.${joiner}1`],
    [
      'a domain that begins or ends with a number',
      '1.evil.com a.1 1.a',
      `1.${joiner}evil.${joiner}com a.${joiner}1 1.${joiner}a`,
    ],
    ['control characters, and line breaks as a space', 'a\u0000b\n\r\nc', 'ab c'],
    ['a right-to-left override', 'abc\u202Efdp.exe', `abcfdp.${joiner}exe`],
    ['zero width letters', 'Su\u200Bi', 'Sui'],
    ['the direction of a right-to-left name is isolated', 'שלום', '\u2068שלום\u2069'],
    ['nothing visible', '\u200B\u202E \n', ''],
  ])('%s', (_what, text, html) => expect(shown(text)).toBe(html));

  test('an absurdly long name is cut between whole characters', () => {
    const family = '👍🏽';
    expect(foreignHtml(family.repeat(30), 24)).toBe(`${family.repeat(18)}…`);
    expect(shown('x'.repeat(1_000_000))).toBe(`${'x'.repeat(60)}…`);
    expect(shown(`a${'\u0301'.repeat(10_000)}`)).toBe('…');
  });

  test('any name gives valid HTML of limited length without links', () =>
    fc.assert(
      fc.property(nastyName(), (name) => {
        const { text, links } = readTelegramHtml(shown(name));
        expect(links).toEqual([]);
        expect(text.length).toBeLessThanOrEqual(nameGraphemesMax * 3 * 2 + 3);
        expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u200b]/u);
        expect(text).not.toMatch(/[a-z]\.[a-z]|:\/\/|@[a-z]/iu);
      }),
    ));
});

const nastyName = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.constantFrom('<b>', '&', '"', 'a.b', '@x', '://', '\u202e', '🪨', 'א', '\n', 'é'), { maxLength: 300 })
      .map((parts) => parts.join('')),
  );
