import { describe, expect, test } from 'vitest';

import { accessProblem, browserInWords, isExpired, newLife, extendedLife } from './session-rules.ts';

const hourMs = 3_600_000;
const start = new Date('2026-11-20T12:00:00Z');
const after = (ms: number): Date => new Date(start.getTime() + ms);

describe('a session', () => {
  test.each([
    [0, false],
    [24 * hourMs - 1, false],
    [24 * hourMs, true],
    [1_000 * hourMs, true],
  ])('unused for %i ms: over is %s', (ms, over) => {
    expect(isExpired(newLife(start), after(ms))).toBe(over);
  });

  test('that is used stays open, but never longer than a week', () => {
    let life = newLife(start);
    for (let hour = 20; hour < 168; hour += 20) {
      expect(isExpired(life, after(hour * hourMs))).toBe(false);
      life = extendedLife(life, after(hour * hourMs)) ?? life;
    }
    expect(isExpired(life, after(168 * hourMs - 1))).toBe(false);
    expect(isExpired(life, after(168 * hourMs))).toBe(true);
    expect(life.idleExpiresAt).toEqual(life.expiresAt);
  });

  test('is saved once a minute, not at every call', () => {
    expect(extendedLife(newLife(start), after(59_999))).toBeNull();
    expect(extendedLife(newLife(start), after(60_000))?.lastSeenAt).toEqual(after(60_000));
  });

  test('is not extended by a clock that was set back', () => {
    expect(extendedLife(newLife(start), after(-hourMs))).toBeNull();
  });
});

describe('a call is allowed by its session', () => {
  const session = { user: { rights: 'treasurer' }, hasSecondFactor: true, confirmedAt: start } as const;
  const needs = { access: 'treasurer', needsSecondFactorAgain: true } as const;

  test.each([
    ['anyone may make a public call', null, { ...needs, access: 'public' }, null],
    ['any other call needs a session', null, needs, 'not-signed-in'],
    ['which belongs to an account with rights', { ...session, user: { rights: null } }, needs, 'not-an-admin'],
    ['to the one that the call needs', session, { ...needs, access: 'operator' }, 'right-missing'],
    ['a full admin has all rights', { ...session, user: { rights: 'admin' } }, needs, null],
    ['any right opens the dashboard', session, { ...needs, access: 'dashboard' }, null],
    [
      'a second factor must have been given in this session',
      { ...session, confirmedAt: null },
      needs,
      'second-factor-required',
    ],
    ['if the call asks for it', { ...session, confirmedAt: null }, { ...needs, needsSecondFactorAgain: false }, null],
    ['and the account has one', { ...session, hasSecondFactor: false, confirmedAt: null }, needs, null],
  ] as const)('%s', (_rule, caller, wanted, problem) => {
    expect(accessProblem(caller, wanted, start)).toBe(problem);
  });

  test('for ten minutes after a second factor', () => {
    expect(accessProblem(session, needs, after(10 * 60_000 - 1))).toBeNull();
    expect(accessProblem(session, needs, after(10 * 60_000))).toBe('second-factor-required');
  });
});

const gecko = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${gecko} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${gecko} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/604.1',
    'Edge on an iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15; K) ${gecko} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on an iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on a Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Something/1.0', 'A browser on Linux'],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', null],
  [null, null],
])('the browser that says %j is shown as %j', (userAgent, words) => {
  expect(browserInWords(userAgent)).toBe(words);
});
