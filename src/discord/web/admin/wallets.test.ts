import { expect, test } from 'vitest';
import { bodyOf, endOf, problemsOf } from './wallets.tsx';

const wallet = `0x${'ab'.repeat(32)}`;
const now = Date.parse('2026-11-20T12:00:00Z');

test('a last day counts until its end in UTC; without one there is no expiry', () => {
  expect(endOf('2026-12-31')).toBe('2026-12-31T23:59:59.999Z');
  expect([endOf(''), endOf('soon')]).toEqual([null, null]);
});

test('the values sent are trimmed', () => {
  expect(bodyOf({ wallet: ` ${wallet} `, reason: ' Friend ', lastDay: '' })).toEqual({
    wallet,
    reason: 'Friend',
    expiresAt: null,
  });
});

test('today may be the last day; yesterday may not', () => {
  expect(problemsOf({ wallet, reason: 'r', lastDay: '2026-11-20' }, now)).toEqual({});
  expect(Object.keys(problemsOf({ wallet, reason: 'r', lastDay: '2026-11-19' }, now))).toEqual(['lastDay']);
});

test.each(['0x12', `${wallet}0`, 'gwen.sui', `0x${'zz'.repeat(32)}`])('%s is not a wallet', (text) => {
  expect(Object.keys(problemsOf({ wallet: text, reason: 'r', lastDay: '' }, now))).toEqual(['wallet']);
});

test('an address and a reason are required', () => {
  expect(problemsOf({ wallet: ' ', reason: ' ', lastDay: '' }, now)).toEqual({
    wallet: 'Enter the wallet address.',
    reason: 'Give a reason.',
  });
});
