import { expect, test } from 'vitest';
import { endsInWords } from './verify-page.tsx';

const nowMs = Date.parse('2026-11-21T10:00:00Z');

test.each([
  ['2026-11-21T10:15:00Z', 'This link expires in 15 min.'],
  ['2026-11-21T10:11:30Z', 'This link expires in 12 min.'],
  ['2026-11-21T10:00:59Z', 'This link expires in less than a minute.'],
  ['2026-11-21T10:00:00Z', 'This link has expired: use /verify in Discord to get a new one.'],
])('a link until %s: %s', (expiresAt, words) => {
  expect(endsInWords(expiresAt, nowMs)).toBe(words);
});
