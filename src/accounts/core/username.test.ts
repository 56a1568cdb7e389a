import { describe, expect, test } from 'vitest';

import { usernameKey, usernameProblem } from './credentials.ts';

describe('two usernames', () => {
  test.each([
    ['Chief', 'chief'],
    [' chief ', 'chief'],
    ['ＣＨＩＥＦ', 'chief'],
    ['Ére', 'E\u0301re'],
  ])('%j and %j are the same', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  test.each([
    ['chief', 'chie'],
    ['chief', 'chief\0'],
    ['chief', 'c hief'],
  ])('%j and %j are different', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other));
  });
});

describe('specification 5: a username', () => {
  test.each([
    ['x', 'Username must be at least 2 characters.'],
    ['', 'Username must be at least 2 characters.'],
    [' x', 'Username must be at least 2 characters.'],
    ['🗿', 'Username must be at least 2 characters.'],
    ['x'.repeat(65), 'Username must be at most 64 characters.'],
    ['ﷺ'.repeat(20), 'Username must be at most 64 characters.'],
    ['chief\u200b', 'Username must not contain invisible characters.'],
    ['chief\u202e', 'Username must not contain invisible characters.'],
    ['chi\nef', 'Username must not contain invisible characters.'],
    ['chief ', 'Username must not begin or end with a space.'],
  ])('%j is refused: %s', (name, problem) => {
    expect(usernameProblem(name)).toBe(problem);
  });

  test.each(['og', 'Ogg the 2nd', 'ogg@cave.example', 'Грог', '石頭', 'x'.repeat(64)])('%j is fine', (name) => {
    expect(usernameProblem(name)).toBeNull();
  });
});
