import { expect, test } from 'vitest';
import { countProblem, countToSend } from './configuration-dialogs.tsx';

// Specification 5: a non-numeric value is sent as 0.
test.each([
  ['', 0],
  ['abc', 0],
  ['12 rocks', 0],
  ['-', 0],
  ['1e999', 0],
  ['NaN', 0],
  ['480', 480],
  [' 7 ', 7],
  ['0', 0],
  ['-3', -3],
])('%j is sent as %d', (text, count) => {
  expect(countToSend(text)).toBe(count);
});

test("a count below the minimum of 0 is not sent: 'Number must be greater than or equal to 0'", () => {
  expect(countProblem(-1)).toBe('Number must be greater than or equal to 0');
  expect(countProblem(0)).toBeUndefined();
});

test('a count must be a whole number', () => {
  expect(countProblem(1.5)).toBe('The count must be a whole number.');
});
