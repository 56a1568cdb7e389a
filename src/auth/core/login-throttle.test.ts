import { describe, expect, test } from 'vitest';

import { judgeLogin, type Attempts, type LoginCounts } from './login-throttle.ts';

const at = new Date('2026-11-20T12:00:00Z');
const tried = (attempts: number, endsInMs = 60_000): Attempts => ({
  attempts,
  endsAt: new Date(at.getTime() + endsInMs),
});
const stranger = (address: number, accountAtAddress: number, account: number | null): LoginCounts => ({
  from: 'stranger',
  address: tried(address),
  accountAtAddress: tried(accountAtAddress),
  account: account === null ? null : tried(account),
});

describe('rulings R2: login is throttled by account and by address', () => {
  test.each<readonly [string, LoginCounts, string]>([
    ['the first attempt', stranger(1, 1, null), 'go-on'],
    ['the tenth for one account from one address', stranger(10, 10, 10), 'go-on'],
    ['the eleventh', stranger(11, 11, 10), 'account-at-address'],
    ['the thirtieth from one address, whatever the account', stranger(30, 1, null), 'go-on'],
    ['the thirty-first', stranger(31, 1, null), 'address'],
    ['an account under attack, second attempt from here', stranger(2, 2, 30), 'go-on'],
    ['an account under attack, third attempt from here', stranger(3, 3, 30), 'account-at-address'],
    ['an account under the heaviest attack, first attempt from here', stranger(1, 1, 1_000_000), 'go-on'],
    ['a device that has signed in before', { from: 'known-device', device: tried(10) }, 'go-on'],
    ['the same device, once too often', { from: 'known-device', device: tried(11) }, 'device'],
  ])('%s', (_case, counts, expected) => {
    const verdict = judgeLogin(counts, at);
    expect(verdict.kind === 'wait' ? verdict.limit : verdict.kind).toBe(expected);
  });

  test('who has to wait is told until when, at least a second', () => {
    expect(judgeLogin({ from: 'known-device', device: tried(11, 90_000) }, at)).toMatchObject({ retryAfterMs: 90_000 });
    expect(judgeLogin({ from: 'known-device', device: tried(11, -5) }, at)).toMatchObject({ retryAfterMs: 1_000 });
  });

  test('only the first refusal of a window is worth telling', () => {
    expect(judgeLogin(stranger(11, 11, null), at)).toMatchObject({ isFirst: true });
    expect(judgeLogin(stranger(12, 12, null), at)).toMatchObject({ isFirst: false });
  });
});
