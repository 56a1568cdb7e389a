import { ApiError } from './api-client.ts';

/** What a toast says of a failed call: the server's message where it has one (rulings R2), else the error's own text. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage ?? error.message;
  // A browser's own words for a server that does not answer ('Failed to fetch') help nobody.
  return 'The server did not answer. Check the connection and try again.';
}
