import { expect, test } from 'vitest';
import type { DryRunResult } from './discord-answers.ts';
import { dryRunInWords, foundInWords } from './dry-run.tsx';

const result = (more: Partial<DryRunResult> = {}): DryRunResult => ({
  hasRole: true,
  nftType: `0x${'0'.repeat(63)}2::rock::Nft`,
  foundName: 'Rocks',
  isConfigured: false,
  verifiedCount: 200,
  gives: 41,
  takes: 3,
  keeps: 150,
  losing: 2,
  unknown: 6,
  givesTo: [],
  takesFrom: [],
  ...more,
});

test("rulings R6: 'gives the role to 41, takes it from 3'", () => {
  expect(dryRunInWords(result())).toEqual({
    headline: 'Gives the role to 41, takes it from 3.',
    more: [
      '150 keep it.',
      '2 members will lose the role regardless.',
      '6 could not be checked now: nothing would change for them.',
      'Nobody loses it at once: only after two checks and the grace period.',
    ],
  });
});

test("zero is 'nobody', and adds no sentences", () => {
  expect(dryRunInWords(result({ gives: 0, takes: 0, keeps: 0, losing: 0, unknown: 0 }))).toEqual({
    headline: 'Gives the role to nobody, takes it from nobody.',
    more: [],
  });
});

test('the contract already in use changes nothing, except that a missing role is given', () => {
  const unchanged = { isConfigured: true, gives: 0, takes: 0, keeps: 1, losing: 1, unknown: 0 };
  expect(dryRunInWords(result(unchanged))).toEqual({
    headline: 'Changes nothing: this contract is already in use here.',
    more: ['1 keeps it.', '1 member will lose the role regardless.'],
  });
  expect(dryRunInWords(result({ ...unchanged, gives: 2 })).headline).toBe('Gives the role to 2, takes it from nobody.');
});

test('without a chosen role, nobody is promised one', () => {
  expect(dryRunInWords(result({ hasRole: false }))).toEqual({
    headline: 'No role is chosen, or it was deleted: nobody gets a role until one is chosen with /setup.',
    more: [],
  });
});

test('without verified members nothing changes', () => {
  expect(dryRunInWords(result({ verifiedCount: 0 })).headline).toContain('nobody has linked a wallet');
});

test('the foreign name of the collection is cut and cleaned', () => {
  expect(foundInWords(result({ foundName: '\u202Eevil\n' }))).toBe('Found ‘evil’, 0x2::rock::Nft');
  expect(foundInWords(result({ foundName: null }))).toBe('Found 0x2::rock::Nft');
});
