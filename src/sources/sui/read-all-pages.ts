import { Unavailable } from '../../shared/failure.ts';
import { suiUpstream } from './sui-call.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: Uint8Array | undefined;
}

/**
 * Reads until the node names no further page: a page may be short or even empty with more to come. A token seen before
 * would go round for ever, and a list without end would fill the memory: both are Unavailable, as is everything read
 * so far (part of a list is not the list).
 */
export async function readAllPages<T>(
  readPage: (pageToken: Uint8Array | undefined) => Promise<Page<T>>,
  pagesMax: number,
): Promise<readonly T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let pageToken: Uint8Array | undefined;
  for (let page = 1; page <= pagesMax; page += 1) {
    const { items: more, nextPageToken } = await readPage(pageToken);
    items.push(...more);
    if (nextPageToken === undefined || nextPageToken.length === 0) return items;
    const key = Buffer.from(nextPageToken).toString('base64');
    if (seen.has(key)) throw new Unavailable('repeated-cursor', `${suiUpstream} goes round in circles`);
    seen.add(key);
    pageToken = nextPageToken;
  }
  throw new Unavailable('too-many-pages', `${suiUpstream} has more than ${pagesMax} pages`);
}
