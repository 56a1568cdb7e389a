import { usernameLengths } from '../contract.ts';

/**
 * What makes two usernames the same: neither case, nor width, nor how an accented letter was typed, nor spaces around.
 * Unique in the database, so that `chief` cannot be added beside `Chief`.
 */
export const usernameKey = (username: string): string =>
  // PostgreSQL can store no zero character; no name contains its replacement either.
  username.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\uFFFD').toWellFormed();

/** Why a name cannot be given to a new account, as a sentence; null when it can. Specification 5: at least 2 characters. */
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
