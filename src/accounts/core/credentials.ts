import { z } from 'zod';

const usernameLengths = { shortest: 2, longest: 64 };
export const passwordLengths = { shortest: 4, longest: 200 };

const bounded = (name: string, { shortest, longest }: { readonly shortest: number; readonly longest: number }) =>
  z
    .string()
    // Specification 5 fixes the wording.
    .min(shortest, { error: `${name} must be at least ${shortest} characters.` })
    .max(longest, { error: `${name} must be at most ${longest} characters.` });

/** POST /api/auth/login (specification 7). Also the rules of the login form and of new accounts (specification 5, 9). */
export const credentials = z.strictObject({
  username: bounded('Username', usernameLengths),
  password: bounded('Password', passwordLengths),
});
export type Credentials = z.infer<typeof credentials>;

/**
 * Equal for usernames that differ only in case, width, the way an accented letter was typed, or spaces around.
 * Unique in the database, so that `chief` cannot be added beside `Chief`.
 */
export const usernameKey = (username: string): string =>
  // PostgreSQL cannot store a zero character; no name contains its replacement either.
  username.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\uFFFD').toWellFormed();

/** Why a new account cannot have this name, as a sentence; null: it can. Specification 5: at least 2 characters. */
export function usernameProblem(username: string): string | null {
  const { shortest, longest } = usernameLengths;
  const length = Array.from(username).length;
  const keyLength = usernameKey(username).length;
  if (length < shortest || keyLength < shortest) return `Username must be at least ${shortest} characters.`;
  if (username.length > longest || keyLength > longest) return `Username must be at most ${longest} characters.`;
  // Invisible characters would make two names look alike.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(username)) return 'Username must not contain invisible characters.';
  if (username.trim() !== username) return 'Username must not begin or end with a space.';
  return null;
}

/**
 * Specification 5 asks for 4 characters at sign-in, and an older password may be that short. A new one guards an admin area
 * that is open to the whole internet.
 */
const shortestNew = 10;
const fewestDifferent = 5;

/** Words that people add digits and marks to: from published lists of the most used passwords, and this product's own words. */
const commonWords = new Set(
  `password passw0rd passwort motdepasse contrasena senha parola wachtwoord administrator admin root user guest login
  welcome letmein changeme default secret access master monkey dragon shadow sunshine princess football baseball
  basketball superman batman pokemon starwars whatever trustno iloveyou iloveu lovely michael jennifer jessica charlie
  computer internet samsung google facebook mustang corvette liverpool chelsea arsenal barcelona christian freedom
  summer winter spring autumn hello helloworld qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc
  test testing demo sample example company temporary temppass mypassword yourpassword newpassword bitcoin ethereum crypto
  suirocks sui rocks rockfolio treasury telegram discord`.split(/\s+/),
);
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];
const runs = rows.flatMap((row) => [row, Array.from(row).toReversed().join('')]);

const lookalikes: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  $: 's',
  '@': 'a',
};

/** Why this cannot be a new password, as a sentence; null: it can. */
export function newPasswordProblem(password: string, username: string): string | null {
  const characters = Array.from(password);
  if (characters.length < shortestNew) return `A new password must be at least ${shortestNew} characters.`;
  const { longest } = passwordLengths;
  if (password.length > longest) return `Password must be at most ${longest} characters.`;
  return isGuessable(password, username)
    ? 'This password is one of the first that attackers try. Choose another, such as four unrelated words.'
    : null;
}

function isGuessable(password: string, username: string): boolean {
  const lower = usernameKey(password);
  const letters = lower.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (new Set(lower).size < fewestDifferent) return true;
  if (/^(.{1,12}?)\1+$/su.test(letters) || runs.some((run) => run.includes(letters))) return true;
  const core = lower.replaceAll(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '');
  const word = core.replaceAll(/[\d@$]/g, (sign) => lookalikes[sign] ?? '').replaceAll(/[^\p{L}]/gu, '');
  return commonWords.has(word) || word === usernameKey(username).replaceAll(/[^\p{L}]/gu, '');
}
