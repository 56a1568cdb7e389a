import { expect, test } from 'vitest';

import { checkGapText } from './alarm.ts';

const from = new Date('2026-11-22T14:00:00Z');

test.each([
  [20, '(1 min)'],
  [45 * 60, '(45 min)'],
  [60 * 60, '(1 h 0 min)'],
  [200 * 60, '(3 h 20 min)'],
])('%d seconds without a check are reported as %s', (seconds, words) => {
  const to = new Date(from.getTime() + seconds * 1_000);
  expect(checkGapText(from, to, { productName: 'Sui Rocks', publicUrl: 'https://rocks.example' })).toContain(words);
});
