import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { csvLine } from './csv.ts';

const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '−', '⁼'];

/** The cells that a spreadsheet with this separator reads: quotes count only at the beginning of a cell. */
const cellsAt = (separator: string, line: string): string[] => {
  const cells = [''];
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (quoted && letter === '"' && line[at + 1] === '"') cells.push(`${cells.pop()}${line[++at]}`);
    else if (letter === '"' && (quoted || cells.at(-1) === '')) quoted = !quoted;
    else if (!quoted && (letter === separator || letter === '\r' || letter === '\n')) cells.push('');
    else cells.push(`${cells.pop()}${letter}`);
  }
  return cells;
};

const isFormula = (cell: string): boolean => {
  const text = cell.normalize('NFKC').replace(/^[\s"\p{Cc}\p{Cf}]+/u, '');
  return /^[=+\-@\u2212]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(cell);
};

describe('a CSV line', () => {
  test.each(starts)(
    'a name that begins with %s is text, even after white space, a quote or an invisible character',
    (start) => {
      for (const before of ['', ' ', '\u00A0', '\u3000', '"', '\u200B', '\uFEFF', ' "']) {
        expect(csvLine([`${before}${start}1+1`])).toContain(`'${start}`);
      }
    },
  );

  test.each([',', ';', '\t', '|', '\r', '\n', '；'])(
    'a name is also text after %j, where another locale begins a cell',
    (separator) => {
      for (const start of starts) expect(csvLine([`rock${separator} ${start}cmd()`])).toContain(`'${start}cmd()`);
    },
  );

  test('text that begins with a tab or a line end is text', () => {
    expect(csvLine(['\tcmd'])).toBe(`"'\tcmd"`);
    expect(csvLine(['\rcmd'])).toBe(`"'\rcmd"`);
  });

  test('negative numbers stay numbers, as numbers and as exact decimal text', () => {
    expect(csvLine([-1.5, '-18446744073709551615', '-0.000001', 1e-7])).toBe(
      '-1.5,-18446744073709551615,-0.000001,0.0000001',
    );
  });

  test('text without a formula stays as it is: addresses, times, sources, signs inside a name', () => {
    const plain = ['0x2::sui::SUI', '2026-11-20T12:00:00.000Z', 'no: low-confidence', 'Bats + Rats = fun', 'a@b'];
    expect(csvLine(plain)).toBe(plain.join(','));
    expect(csvLine(['0x2::a::B<0x3::c::D, 0x4::e::F>', null, undefined, 'say "rock"'])).toBe(
      '"0x2::a::B<0x3::c::D, 0x4::e::F>",,,"say ""rock"""',
    );
  });

  test('no locale finds a formula in untrusted text, and splitting at commas gives the cells back', () => {
    const letters = constantFrom(...starts, ',', ';', '\t', '"', "'", ' ', '|', '\r', '\n', 'a', '1', '\u200B', '；');
    const names = array(
      array(letters, { maxLength: 8 }).map((list) => list.join('')),
      { minLength: 1, maxLength: 4 },
    );
    assert(
      property(names, (values) => {
        const line = csvLine(['token', ...values, 'end']);
        for (const separator of [',', ';', '\t', '|']) {
          expect([separator, cellsAt(separator, line).filter(isFormula)]).toEqual([separator, []]);
        }
        expect(cellsAt(',', line)).toHaveLength(values.length + 2);
      }),
      { numRuns: 2_000 },
    );
  });
});
