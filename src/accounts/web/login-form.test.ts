import { describe, expect, test } from 'vitest';
import { ApiError } from '../../ui/api/api-client.ts';
import { credentials } from '../contract.ts';
import { loginFailedText, passwordRules, usernameRules } from './login-form.tsx';

type Rules = typeof usernameRules;

/** As react-hook-form applies them. */
const problemOf = ({ required, minLength, maxLength }: Rules, value: string): string | undefined => {
  if (value === '') return required;
  if (value.length < minLength.value) return minLength.message;
  return value.length > maxLength.value ? maxLength.message : undefined;
};
const schemaProblemOf = (field: 'username' | 'password', value: string): string | undefined =>
  credentials.shape[field].safeParse(value).error?.issues[0]?.message;

describe('specification 5: the login form', () => {
  test('says the exact messages', () => {
    expect(problemOf(usernameRules, 'o')).toBe('Username must be at least 2 characters.');
    expect(problemOf(passwordRules, 'abc')).toBe('Password must be at least 4 characters.');
    expect([problemOf(usernameRules, 'og'), problemOf(passwordRules, 'abcd')]).toEqual([undefined, undefined]);
  });

  test.each([0, 1, 2, 3, 4, 5, 64, 65, 200, 201])('agrees with the server on %i characters', (length) => {
    const value = 'x'.repeat(length);
    expect(problemOf(usernameRules, value)).toBe(schemaProblemOf('username', value));
    expect(problemOf(passwordRules, value)).toBe(schemaProblemOf('password', value));
  });
});

describe("specification 8: the text of 'Login failed'", () => {
  test.each([
    ["the server's message field", new ApiError(401, 'Unauthorized', '{"message":"Wrong."}'), 'Wrong.'],
    ['the raw response text', new ApiError(502, 'Bad Gateway', 'upstream is gone'), 'upstream is gone'],
    ["'Login failed' for an empty body", new ApiError(500, 'Internal Server Error', ''), 'Login failed'],
    ["'Login failed' when nobody answers", new TypeError('Failed to fetch'), 'Login failed'],
  ])('is %s', (_, error, text) => {
    expect(loginFailedText(error)).toBe(text);
  });
});
