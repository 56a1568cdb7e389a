import { describe, expect, it, test } from 'vitest';
import { ageInWords, durationInWords, instantInWords } from './age-in-words.ts';

const now = Date.parse('2026-11-20T14:02:00Z');

describe('Rulings R3: every figure says how old it is', () => {
  it.each([
    ['2026-11-20T14:02:00Z', 'under a minute ago'],
    ['2026-11-20T14:01:01Z', 'under a minute ago'],
    ['2026-11-20T14:01:00Z', '1 min ago'],
    ['2026-11-20T13:02:01Z', '59 min ago'],
    ['2026-11-20T13:02:00Z', '1 h ago'],
    ['2026-11-18T14:02:01Z', '47 h ago'],
    ['2026-11-18T14:02:00Z', '2 days ago'],
    ['2026-11-20T14:05:00Z', 'under a minute ago'],
    [null, 'never read'],
    ['yesterday', 'age unknown'],
  ])('%s is %s', (asOf, words) => expect(ageInWords(asOf, now)).toBe(words));

  it('names the instant in UTC', () => {
    expect(instantInWords('2026-11-20T14:02:30Z')).toBe('20 Nov 2026, 14:02 UTC');
    expect(instantInWords('2027-09-01T00:05:00+02:00')).toBe('31 Aug 2027, 22:05 UTC');
    expect(instantInWords('yesterday')).toBe('time unknown');
  });
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_600, '1 h'],
  [172_800, '2 days'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});
