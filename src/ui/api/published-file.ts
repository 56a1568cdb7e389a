import { ApiError, withLimit } from './api-client.ts';

/** For published files that the reader's own browser recalculates: a statement of the treasury, the plan of a payout. */

/** The exact text of the file. Throws ApiError if there is none. */
export async function readPublishedFile(path: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(path, { signal: withLimit(signal) });
  const file = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, file);
  return file;
}

/** SHA-256 as hexadecimal digits; null: not available here, since browsers offer it in secure contexts only. */
export function browserSha256(): ((text: string) => Promise<string>) | null {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return null;
  return async (text) => {
    const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}
