import { createHash } from 'node:crypto';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import { GrpcRefusal } from './grpc-web.ts';

const defaultPageSize = 50;
const maxPageSize = 1000;
const maxPageBytes = 512 * 1024;

export type PageRequest<T> = {
  items: readonly T[];
  /** A unique key that items are sorted by. */
  keyOf: (item: T) => string;
  pageSize: number | undefined;
  pageToken: Uint8Array | undefined;
  /** The rest of the request: a page token is only valid with the same parameters. */
  parameters: unknown;
};

/** One page: at most 1000 items (default 50) or about 512 KiB, whichever comes first. */
export function pageOf<T, M>(
  request: PageRequest<T>,
  encode: (item: T) => M,
  bytesOf: (message: M) => number,
): { page: M[]; nextPageToken: Uint8Array | undefined } {
  const fingerprint = createHash('sha256').update(JSON.stringify(request.parameters)).digest('hex').slice(0, 16);
  const after = readToken(request.pageToken, fingerprint);
  const sorted = request.items
    .map((item) => ({ key: request.keyOf(item), item }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .filter(({ key }) => after === null || key > after);
  const limit = Math.min(request.pageSize || defaultPageSize, maxPageSize);
  const page: M[] = [];
  let bytes = 0;
  let last = '';
  for (const { key, item } of sorted.slice(0, limit)) {
    const message = encode(item);
    bytes += bytesOf(message);
    if (page.length > 0 && bytes > maxPageBytes) break;
    page.push(message);
    last = key;
  }
  const nextPageToken =
    page.length < sorted.length ? new TextEncoder().encode(JSON.stringify([fingerprint, last])) : undefined;
  return { page, nextPageToken };
}

function readToken(token: Uint8Array | undefined, fingerprint: string): string | null {
  if (!token || token.length === 0) return null;
  try {
    const [given, after]: unknown[] = JSON.parse(new TextDecoder().decode(token));
    if (given === fingerprint && typeof after === 'string') return after;
  } catch {
    // Refused below, like any other invalid token.
  }
  throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'invalid page_token');
}
