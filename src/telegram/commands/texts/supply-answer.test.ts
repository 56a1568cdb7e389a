import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { someFound } from '../../../../tests/support/activity-events.ts';
import { parseSupply, proposedSupply } from './setup-texts.ts';

describe('Rulings R4: a maximum supply typed by a person', () => {
  test.each([
    ['555', 555],
    [' 555\n', 555],
    ['1', 1],
    ['10,000', 10_000],
    ['10 000', 10_000],
    ['10.000', 10_000],
    ['1_000_000', 1_000_000],
    ['1,000,000,000', 1_000_000_000],
    ['0000555', 555],
  ])('%j is %d', (text, supply) => expect(parseSupply(text)).toEqual({ kind: 'supply', supply }));

  test.each([
    ['', /whole number, 1 or more/],
    ['0', /whole number, 1 or more/],
    ['000', /whole number, 1 or more/],
    ['-5', /whole number, 1 or more/],
    ['5.5', /whole number, 1 or more/],
    ['5,55', /whole number, 1 or more/],
    ['1,000.000', /whole number, 1 or more/],
    ['1000000001', /more than 1,000,000,000/],
    ['9'.repeat(4000), /more than 1,000,000,000/],
    ['lots', /whole number, 1 or more/],
    ['0x22b', /whole number, 1 or more/],
    ['1e3', /whole number, 1 or more/],
    ['٥٥٥', /whole number, 1 or more/],
  ])('%j is refused with the reason', (text, problem) => {
    const answer = parseSupply(text);
    expect(answer).toMatchObject({ kind: 'refused', problem: expect.stringMatching(problem) as string });
  });

  test('a number below the minted count is refused; the minted count itself is accepted, for a mint that is over', () => {
    expect(parseSupply('411', 412)).toMatchObject({
      kind: 'refused',
      problem: expect.stringContaining('412 are minted already') as string,
    });
    expect(parseSupply('412', 412)).toEqual({ kind: 'supply', supply: 412 });
    expect(parseSupply('1', null)).toEqual({ kind: 'supply', supply: 1 });
  });

  test('every answer is either within limits or refused', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        const answer = parseSupply(text);
        if (answer.kind === 'supply') expect(answer.supply >= 1 && answer.supply <= 1_000_000_000).toBe(true);
      }),
    ));

  test.each([
    [
      { maxSupply: 555, mintedCount: 412 },
      { supply: 555, isMaximum: true },
    ],
    [
      { maxSupply: null, mintedCount: 412 },
      { supply: 412, isMaximum: false },
    ],
    [
      { maxSupply: null, mintedCount: 1 },
      { supply: 1, isMaximum: false },
    ],
    [{ maxSupply: null, mintedCount: 0 }, null],
    [{ maxSupply: null, mintedCount: null }, null],
    [{ maxSupply: 2_000_000_000, mintedCount: 1 }, null],
  ])('for %o the setup proposes %o', (given, proposed) => expect(proposedSupply(someFound(given))).toEqual(proposed));
});
