import { expect, test } from 'vitest';
import { aheadInWords } from '../../../ui/age-in-words.ts';
import { answerWords, codeInWords, failureInWords, roleWords, sweepInWords } from './member-words.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T12:12:30Z', 'in 12 min'],
  ['2026-11-20T12:00:40Z', 'in 40 s'],
  ['2026-11-22T13:00:00Z', 'in 2 days'],
  ['2026-11-20T11:00:00Z', 'now'],
  ['nonsense', 'time unknown'],
])('%s is %s', (at, words) => {
  expect(aheadInWords(at, now)).toBe(words);
});

test('rulings R5: the check has three answers, and none yet is none of them', () => {
  const words = ([null, 'holds', 'does-not-hold', 'unknown'] as const).map((answer) => answerWords(answer).word);
  expect(words).toEqual(['Not checked yet', 'Holds', 'Does not hold', 'Could not be read']);
});

test('a role that Discord has not told of is not called missing', () => {
  expect([roleWords(true), roleWords(false), roleWords(null)]).toEqual(['Assigned', 'Not assigned', 'Not known yet']);
});

test('a sweep is told with its figures and its time', () => {
  const sweep = { at: '', checked: 200, holding: 150, notHolding: 45, unknown: 5, durationMs: 1_240, failure: null };
  expect(sweepInWords(sweep)).toBe('200 checked in 1.2 s: 150 hold, 45 do not, 5 could not be read');
  expect(sweepInWords({ ...sweep, unknown: 0, durationMs: 75_000 })).toBe('200 checked in 1 min: 150 hold, 45 do not');
  expect(sweepInWords({ ...sweep, checked: 2, holding: 1, notHolding: 1, unknown: 0 })).toBe(
    '2 checked in 1.2 s: 1 holds, 1 does not',
  );
  expect(sweepInWords({ ...sweep, checked: 0 })).toBe('nobody to check');
});

test('codes are read as words', () => {
  expect(codeInWords('data-deleted')).toBe('data deleted');
});

test('why something was not done is told in words, never as a code', () => {
  expect(failureInWords('direct-messages-closed')).toBe('The member does not accept direct messages.');
  expect(failureInWords('role-gone')).toBe('role gone');
  expect(failureInWords("Drag the bot's role above it.")).toBe("Drag the bot's role above it.");
});
