import type { IncomingMessage } from 'node:http';
import type { Ask } from './answer.ts';

export class TooLarge extends Error {
  override name = 'TooLarge';
}

const usualBodyBytes = 1_048_576;

/** Reads a whole request. Throws TooLarge when the body exceeds the maximum (default 1 MiB). */
export async function readAsk(request: IncomingMessage, maxBodyBytes = usualBodyBytes): Promise<Ask> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > maxBodyBytes) throw new TooLarge();
    chunks.push(bytes);
  }
  const url = new URL(request.url ?? '/', 'http://sandbox');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}
