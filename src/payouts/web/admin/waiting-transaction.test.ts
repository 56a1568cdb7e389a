import { expect, test } from 'vitest';
import { signingVerdictOf } from './waiting-transaction.tsx';

const expected = { received: [{ address: `0x${'ab'.repeat(32)}`, raw: '5', rocks: [7] }] };

test('bytes that equal the plan may be signed', () => {
  expect(signingVerdictOf('AAAA', expected, () => null)).toEqual({ kind: 'equal', bytes: 'AAAA', lineCount: 1 });
});

test('bytes that differ from the plan may not', () => {
  const difference = 'They pay nobody.';
  expect(signingVerdictOf('AAAA', expected, () => difference)).toEqual({ kind: 'different', difference });
});

test('until the plan and the code are loaded, nothing may be signed', () => {
  expect(signingVerdictOf('AAAA', expected, () => undefined)).toEqual({ kind: 'not-compared-yet' });
});

test('what the server does not describe in full may never be signed, even if nothing differs', () => {
  expect(signingVerdictOf(null, expected, () => null)).toEqual({ kind: 'not-known-in-full' });
  expect(signingVerdictOf('AAAA', null, () => null)).toEqual({ kind: 'not-known-in-full' });
});
