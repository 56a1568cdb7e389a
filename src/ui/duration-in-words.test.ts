import { expect, test } from 'vitest';
import { durationInWords } from './duration-in-words.ts';

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_600, '1 h'],
  [172_800, '2 days'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});
