import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { MarketAction } from '../../sources/tradeport/rows.ts';
import { cursorAfterPage, mustHaveRows, type PastCursor, pastEventsOf, progressAfterPage } from './rock-history.ts';

function action(id: number, type: string, atMs: number): MarketAction {
  const nft = { nftObjectId: `0x${id % 5}`, nftName: null, nftImageUrl: null, nftRank: null };
  const facts = {
    transactionDigest: `d${id}`,
    marketName: null,
    priceMist: 1n,
    foreignCoinType: null,
    foreignRawAmount: null,
  };
  return { id: String(id), type, happenedAt: new Date(atMs), sender: '0xs', receiver: '0xr', ...nft, ...facts };
}

describe('the history of a rock', () => {
  test('has mints, sales, accepted bids, transfers, listings and burns, but no unaccepted bids', () => {
    const types = ['mint', 'buy', 'accept-collection-bid', 'transfer', 'relist', 'burn', 'solo-bid'];
    const events = pastEventsOf(types.map((type, at) => action(at, type, at)));
    expect(events.map(({ kind, sender, receiver }) => [kind, sender, receiver])).toEqual([
      ['mint', null, '0xr'],
      ['sale', '0xs', '0xr'],
      ['accepted-bid', '0xs', '0xr'],
      ['transfer', '0xs', '0xr'],
      ['listing', '0xs', null],
      ['burn', '0xs', null],
    ]);
  });

  test('is read page by page without gaps or duplicates, however many events share one moment', () => {
    const times = array(integer({ min: 0, max: 6 }), { maxLength: 40 });
    // A page may be shorter than requested.
    const lengths = array(integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 });
    assert(
      property(times, lengths, (moments, rowCounts) => {
        const rows = moments.toSorted((one, other) => one - other).map((at, id) => action(id, 'buy', at * 1_000));
        const kept = new Map<string, unknown>();
        let cursor: PastCursor = { historyAt: null, historySkip: 0 };
        for (let turn = 0; ; turn += 1) {
          expect(turn).toBeLessThan(200);
          const since = cursor.historyAt?.getTime() ?? 0;
          const later = rows.filter(({ happenedAt }) => happenedAt.getTime() >= since);
          const page = later.slice(cursor.historySkip, cursor.historySkip + (rowCounts[turn % rowCounts.length] ?? 1));
          for (const event of pastEventsOf(page)) kept.set(event.eventKey, event);
          cursor = cursorAfterPage(cursor, page, page.length);
          if (page.length === 0) break;
        }
        expect(kept.size).toBe(rows.length);
      }),
    );
  });
});

describe('an empty page of the past', () => {
  const last = new Date('2026-11-20T00:00:00Z');
  const now = new Date('2026-11-26T00:00:00Z');
  const seen = { historyAt: last, historySkip: 0, isHistoryComplete: false };

  test.each([
    ['after the last row seen, which it must contain', seen, 382, true],
    ['when all rows of the last moment are skipped', { ...seen, historySkip: 3 }, 382, false],
    [
      'in the last week of a complete past, whose rows may be deleted',
      { ...seen, isHistoryComplete: true },
      382,
      false,
    ],
    ['at the beginning, of a collection with mints', { ...seen, historyAt: null }, 382, true],
    ['at the beginning, of a collection that may have mints', { ...seen, historyAt: null }, null, true],
    ['at the beginning, of a collection without mints', { ...seen, historyAt: null }, 0, false],
  ])('%s', (_when, progress, mintedCount, isContradiction) => {
    expect(mustHaveRows(progress, mintedCount)).toBe(isContradiction);
  });

  test('is the end: the next reading repeats the last week, never from a time ahead of our clock', () => {
    const empty = { actions: [], rowCount: 0 };
    const weekBefore = (time: string) => ({ historyAt: new Date(time), historySkip: 0, isHistoryComplete: true });
    expect(progressAfterPage(seen, empty, now)).toEqual(weekBefore('2026-11-13T00:00:00Z'));
    const ahead = { ...seen, historyAt: new Date('2027-01-01T00:00:00Z') };
    expect(progressAfterPage(ahead, empty, now)).toEqual(weekBefore('2026-11-19T00:00:00Z'));
  });

  test('is never assumed: after any other page a complete past stays complete, and an incomplete one incomplete', () => {
    const page = { actions: [], rowCount: 5 };
    expect(progressAfterPage(seen, page, now)).toEqual({ ...seen, historySkip: 5 });
    expect(progressAfterPage({ ...seen, isHistoryComplete: true }, page, now).isHistoryComplete).toBe(true);
  });
});
