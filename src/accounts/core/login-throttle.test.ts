import { describe, expect, test } from 'vitest';

import { judgeAddress, judgeKnownBrowser, judgeStranger, type Attempts, type LoginVerdict } from './login-throttle.ts';

const at = new Date('2026-11-20T12:00:00Z');
const tried = (attempts: number, endsInMs = 60_000): Attempts => ({
  attempts,
  endsAt: new Date(at.getTime() + endsInMs),
});

const said = (verdict: LoginVerdict): string => (verdict.kind === 'wait' ? verdict.limit : verdict.kind);

describe('rulings R2: login is throttled by account and by address', () => {
  test.each<readonly [string, LoginVerdict, string]>([
    ['the thirtieth from one address, whatever the account', judgeAddress(tried(30), at), 'go-on'],
    ['the thirty-first', judgeAddress(tried(31), at), 'address'],
    ['the first attempt', stranger(1, null), 'go-on'],
    ['the tenth for one account from one address', stranger(10, 10), 'go-on'],
    ['the eleventh', stranger(11, 10), 'account-at-address'],
    ['an account under attack, second attempt from here', stranger(2, 30), 'go-on'],
    ['an account under attack, third attempt from here', stranger(3, 30), 'account-at-address'],
    ['an account under the heaviest attack, first attempt from here', stranger(1, 1_000_000), 'go-on'],
    ['a browser that has signed in before', judgeKnownBrowser(tried(10), at), 'go-on'],
    ['the same browser, once too often', judgeKnownBrowser(tried(11), at), 'device'],
  ])('%s', (_case, verdict, expected) => {
    expect(said(verdict)).toBe(expected);
  });

  test('who has to wait is told until when, at least a second', () => {
    expect(judgeKnownBrowser(tried(11, 90_000), at)).toMatchObject({ retryAfterMs: 90_000 });
    expect(judgeKnownBrowser(tried(11, -5), at)).toMatchObject({ retryAfterMs: 1_000 });
  });
});

function stranger(accountAtAddress: number, account: number | null): LoginVerdict {
  const counts = { accountAtAddress: tried(accountAtAddress), account: account === null ? null : tried(account) };
  return judgeStranger(counts, at);
}
