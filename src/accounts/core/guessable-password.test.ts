import { describe, expect, it } from 'vitest';

import { newPasswordProblem } from './credentials.ts';

describe('a new password', () => {
  it.each([
    ['club', 'too short'],
    ['nine-char', 'too short'],
    ['🗿🗿🗿🗿🗿', 'too short'],
    ['x'.repeat(201), 'too long'],
    ['aaaaaaaaaaaa', 'guessable'],
    ['ababababab', 'guessable'],
    ['rock-rock-rock', 'guessable'],
    ['1234567890', 'guessable'],
    ['qwertyuiop', 'guessable'],
    ['0987654321', 'guessable'],
    ['password123', 'guessable'],
    ['P4ssw0rd!2026', 'guessable'],
    ['Welcome2026!!', 'guessable'],
    ['suirocks555', 'guessable'],
    ['Chief Ogg 1', 'guessable'],
    ['chiefogg2026', 'guessable'],
    ['ＰＡＳＳＷＯＲＤ１２３', 'guessable'],
  ])('%j is refused: %s', (password, why) => {
    const sentences = { 'too short': 'at least 10', 'too long': 'at most 200', guessable: 'attackers try' };
    expect(newPasswordProblem(password, 'Chief Ogg')).toContain(sentences[why as keyof typeof sentences]);
  });

  it.each([
    'cave-painting',
    'four blue rocks sing',
    'kQ7-vu2_xZ0p',
    '石頭洞穴壁畫火焰山谷河',
    'chief-of-the-blue-cave',
    // NIST SP 800-63B: at least 64 characters must be allowed.
    'four blue rocks sing of the fire on the mountain; '.repeat(4),
  ])('%j is accepted', (password) => {
    expect(newPasswordProblem(password, 'chief')).toBeNull();
  });
});
