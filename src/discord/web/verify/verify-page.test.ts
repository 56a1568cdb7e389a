import { expect, test } from 'vitest';
import { endsInWords, inReadingOrder, outcomeTitle } from './verify-page.tsx';

const nowMs = Date.parse('2026-11-21T10:00:00Z');

test.each([
  ['2026-11-21T10:15:00Z', 'This link expires in 15 min.'],
  ['2026-11-21T10:11:30Z', 'This link expires in 12 min.'],
  ['2026-11-21T10:00:59Z', 'This link expires in less than a minute.'],
  ['2026-11-21T10:00:00Z', 'This link has expired: use /verify in Discord to get a new one.'],
])('a link that expires at %s: %s', (expiresAt, words) => {
  expect(endsInWords(expiresAt, nowMs)).toBe(words);
});

test('the title says that the role is given, whatever was known before', () => {
  expect(outcomeTitle('unknown', true)).toBe('You have the role');
  expect(outcomeTitle('role-coming', true)).toBe('You have the role');
});

test.each([
  ['role-coming', 'The role is on its way'],
  ['not-holding', 'Linked, but nothing found'],
  ['unknown', 'Your wallet is linked'],
  ['not-set-up', 'Linked; the server is not ready yet'],
  ['bot-off', 'Linked; the bot is shut down'],
  [null, 'Your wallet is linked'],
] as const)('the title without the role, for the outcome %s: %s', (outcome, words) => {
  expect(outcomeTitle(outcome, false)).toBe(words);
});

test('the findings come first, then what follows, then the rule', () => {
  expect(inReadingOrder(['The rule.', '3 rocks.', 'The role is given.'])).toEqual([
    '3 rocks.',
    'The role is given.',
    'The rule.',
  ]);
  expect(inReadingOrder(['Not set up yet.'])).toEqual(['Not set up yet.']);
  expect(inReadingOrder([])).toEqual([]);
  expect(inReadingOrder(null)).toEqual([]);
});
