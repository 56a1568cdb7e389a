import { ApiError } from '../../web/api-client.ts';

/** Specification 5. */
const atLeast = (length: number, message: string) => ({
  required: message,
  minLength: { value: length, message },
});

export const usernameRules = atLeast(2, 'Username must be at least 2 characters.');
export const passwordRules = atLeast(4, 'Password must be at least 4 characters.');

/** Specification 8, 'Login failed': the server's message field, else the raw response text, else 'Login failed'. */
export function loginFailedText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed';
  return error.serverMessage ?? (error.body.trim() === '' ? 'Login failed' : error.body);
}
