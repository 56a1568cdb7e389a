import { describe, expect, test } from 'vitest';

import { Unavailable } from '../../shared/failure.ts';
import { type PageRequest, readAllPages } from './sui-call.ts';

interface Page {
  readonly items: readonly number[];
  readonly nextPageToken: Uint8Array | undefined;
}

const itemsOf = ({ items }: Page) => items;

const token = (...bytes: number[]): Uint8Array => new Uint8Array(bytes);

/** A list of these pages; remembers the tokens of the requests. */
function book(pages: readonly Page[]) {
  const asked: (Uint8Array | undefined)[] = [];
  const read = async ({ pageToken }: PageRequest): Promise<Page> => {
    asked.push(pageToken);
    return pages[asked.length - 1] ?? { items: [], nextPageToken: undefined };
  };
  return { read, asked };
}

describe('a list of several pages', () => {
  test('is read to its end, past short and empty pages', async () => {
    const { read, asked } = book([
      { items: [1, 2], nextPageToken: token(1) },
      { items: [], nextPageToken: token(2) },
      { items: [3], nextPageToken: token() },
    ]);
    expect(await readAllPages(read, itemsOf, 10)).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, token(1), token(2)]);
  });

  test('that repeats a page token is Unavailable', async () => {
    const { read } = book([
      { items: [1], nextPageToken: token(1) },
      { items: [2], nextPageToken: token(2) },
      { items: [3], nextPageToken: token(1) },
    ]);
    await expect(readAllPages(read, itemsOf, 10)).rejects.toMatchObject({ reason: 'repeated-cursor' });
  });

  test('that never ends is Unavailable, not a partial list', async () => {
    let pages = 0;
    const endless = async (): Promise<Page> => ({ items: [1], nextPageToken: token((pages += 1)) });
    await expect(readAllPages(endless, itemsOf, 5)).rejects.toMatchObject({ reason: 'too-many-pages' });
    expect(pages).toBe(5);
  });

  test('with one failed page is Unavailable, not a partial list', async () => {
    const failing = async ({ pageToken }: PageRequest): Promise<Page> => {
      if (pageToken !== undefined) throw new Unavailable('network', 'gone');
      return { items: [1], nextPageToken: token(1) };
    };
    await expect(readAllPages(failing, itemsOf, 5)).rejects.toThrow(Unavailable);
  });
});
