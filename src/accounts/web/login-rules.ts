import { ApiError } from '../../ui/api/api-client.ts';

/**
 * Specification 5, in the form library's words: the schema of the contract says the same (see the test), but would bring
 * its whole library along.
 */
const lengthsOf = (name: string, shortest: number, longest: number) => {
  const tooShort = `${name} must be at least ${shortest} characters.`;
  return {
    required: tooShort,
    minLength: { value: shortest, message: tooShort },
    maxLength: { value: longest, message: `${name} must be at most ${longest} characters.` },
  };
};

export const usernameRules = lengthsOf('Username', 2, 64);
export const passwordRules = lengthsOf('Password', 4, 200);

/** Specification 8, 'Login failed': the server's message field, else the raw response text, else 'Login failed'. */
export function loginFailedText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed';
  return error.serverMessage ?? (error.body.trim() === '' ? 'Login failed' : error.body);
}
