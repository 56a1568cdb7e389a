import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { MarketAction } from '../../sources/tradeport/rows.ts';
import type { PieceSpot, TablePiece } from './owner-table.ts';
import { colorMarkets, filteredRocks, type KnownRock, shownRock } from './rock-gallery.ts';
import { historyReach, historyText } from '../../shared/history-reach.ts';
import { colorNamed, cursorAfterPage, type PastCursor, pastEventsOf, rocksOf } from './rocks.ts';

const asOf = new Date('2026-11-20T00:00:00Z');

function piece(objectId: string, given: Partial<TablePiece> = {}): TablePiece {
  const spot: PieceSpot = { kind: 'wallet', address: '0xa' };
  return {
    objectId,
    name: null,
    isListed: false,
    hint: null,
    spot,
    listing: null,
    imageUrl: null,
    index: null,
    ...given,
  };
}

const rocksIn = (pieces: readonly TablePiece[], holders: Readonly<Record<string, readonly string[]>> = {}) =>
  rocksOf(
    {
      table: {
        asOf,
        isComplete: true,
        pieces,
        holders: new Map(Object.entries(holders).map(([kioskId, wallets]) => [kioskId, new Set(wallets)])),
      },
      personalKiosks: new Set(['0xpersonal']),
    },
    new Map(),
  );

describe('rulings R8: a rock', () => {
  test('has the number of its name, else its place in mint order, and no two have the same', () => {
    const rocks = rocksIn([
      piece('0x1', { name: 'Sui Rock #7', index: 3 }),
      piece('0x2', { name: 'Nameless', index: 4 }),
      piece('0x3', { name: 'An impostor #7', index: 9 }),
      piece('0x4', { name: 'Number #0' }),
    ]);
    expect(rocks.map(({ objectId, number }) => [objectId, number])).toEqual([
      ['0x4', 1],
      ['0x2', 4],
      ['0x1', 7],
      ['0x3', 9],
    ]);
  });

  test('is its wallet’s, its kiosk’s holder’s, or whoever listed it; what cannot be said is unknown', () => {
    const rocks = rocksIn(
      [
        piece('0x1', { index: 1 }),
        piece('0x2', { index: 2, spot: { kind: 'kiosk', kioskId: '0xk' } }),
        piece('0x3', { index: 3, spot: { kind: 'kiosk', kioskId: '0xpersonal' } }),
        piece('0x4', { index: 4, spot: { kind: 'marketplace', seller: '0xs' } }),
        piece('0x5', { index: 5, spot: { kind: 'kiosk', kioskId: '0xnobody' } }),
        piece('0x6', { index: 6, spot: { kind: 'nowhere' } }),
        piece('0x7', { index: 7, spot: { kind: 'kiosk', kioskId: '0xshared' }, hint: '0xh' }),
        piece('0x8', { index: 8, spot: { kind: 'kiosk', kioskId: '0xshared' } }),
      ],
      { '0xk': ['0xb'], '0xpersonal': ['0xc'], '0xshared': ['0xg', '0xh'] },
    );
    expect(rocks.map(({ owner, place }) => [owner, place])).toEqual([
      ['0xa', 'wallet'],
      ['0xb', 'kiosk'],
      ['0xc', 'personal-kiosk'],
      ['0xs', 'escrow'],
      [null, 'kiosk'],
      [null, null],
      ['0xh', 'kiosk'],
      [null, 'kiosk'],
    ]);
  });

  test('has one of the six colors, however its object writes it', () => {
    expect([' azure pulse', 'AZURE PULSE', 'Azure', '<b>', null].map(colorNamed)).toEqual([
      'Azure Pulse',
      'Azure Pulse',
      null,
      null,
      null,
    ]);
  });
});

const unsold = { lastSale: null, since: null, salesOfWeek: { count: 0, volumeMist: 0n } };
function known(number: number, given: Partial<KnownRock> = {}): KnownRock {
  const [rock] = rocksIn([piece(`0x${number}`, { index: number })]);
  if (rock === undefined) throw new Error('No rock');
  return { ...rock, color: 'Azure Pulse', ...unsold, ...given };
}
const forSale = (priceMist: bigint) => ({ listing: { priceMist, marketName: 'tradeport' } });
const soldAt = (day: number) => ({
  lastSale: { priceMist: 5n, happenedAt: new Date(Date.UTC(2026, 10, day)), transactionDigest: null },
});

describe('the gallery', () => {
  const rocks = [
    known(1, soldAt(3)),
    known(2, forSale(30n)),
    known(3, { ...forSale(9n), ...soldAt(9), color: 'Frosted Mist', owner: '0xb' }),
    known(4, { color: null }),
  ];
  const everything = { color: null, listed: null, owner: null, sort: 'number' } as const;
  const all = { isHistoryComplete: true, areOwnersRead: true };
  const numbers = (query: Partial<Parameters<typeof filteredRocks>[1]>) =>
    filteredRocks(rocks, { ...everything, ...query }).map(({ number }) => number);

  test('filters by color, by being for sale, and by owner', () => {
    expect(numbers({})).toEqual([1, 2, 3, 4]);
    expect(numbers({ color: 'Azure Pulse' })).toEqual([1, 2]);
    expect(numbers({ listed: true })).toEqual([2, 3]);
    expect(numbers({ listed: false })).toEqual([1, 4]);
    expect(numbers({ owner: '0xb', color: 'Frosted Mist' })).toEqual([3]);
  });

  test('orders by price, cheapest first and unlisted last, and by the latest sale', () => {
    expect(numbers({ sort: 'price' })).toEqual([3, 2, 1, 4]);
    expect(numbers({ sort: 'recent' })).toEqual([3, 1, 2, 4]);
  });

  test('has a market for each color: minted, listed, floor, holders, and what sold in a week', () => {
    const sold = known(5, { salesOfWeek: { count: 2, volumeMist: 14n }, ...forSale(8n), owner: '0xc' });
    const azure = colorMarkets([...rocks, sold], all).find(({ color }) => color === 'Azure Pulse');
    expect(azure).toEqual({
      color: 'Azure Pulse',
      supply: 120,
      minted: 3,
      listed: 2,
      floorMist: '8',
      holders: 2,
      sales7d: 2,
      volume7dMist: '14',
    });
    expect(colorMarkets([], all)).toHaveLength(6);
  });

  test('what sold in a week is not known while the past is being read, its volume not where no price is known', () => {
    const week = (isHistoryComplete: boolean, ...volumes: readonly (bigint | null)[]) => {
      const sold = volumes.map((volumeMist, at) => known(at + 1, { salesOfWeek: { count: 1, volumeMist } }));
      const azure = colorMarkets([...sold, known(9)], { ...all, isHistoryComplete }).find(
        ({ color }) => color === 'Azure Pulse',
      );
      return [azure?.sales7d, azure?.volume7dMist];
    };
    expect(week(false, 5n)).toEqual([null, null]);
    expect(week(true, null, null)).toEqual([2, null]);
    expect(week(true, null, 5n)).toEqual([2, '5']);
    expect(week(true)).toEqual([0, '0']);
  });

  test('shows amounts as digits, and the owner with a name where the chain has one', () => {
    const shown = shownRock(known(2, forSale(2n ** 63n)), () => 'gwen.sui');
    expect(shown).toMatchObject({
      owner: { address: '0xa', name: 'gwen.sui' },
      listing: { priceMist: '9223372036854775808', market: 'tradeport' },
    });
  });
});

function action(id: number, type: string, atMs: number): MarketAction {
  const nft = { objectId: `0x${id % 5}`, name: null, imageUrl: null, rank: null };
  const facts = { transactionDigest: `d${id}`, marketName: null, priceMist: 1n, foreignPrice: null };
  return { id: String(id), type, happenedAt: new Date(atMs), sender: '0xs', receiver: '0xr', nft, ...facts };
}

describe('the history of a rock', () => {
  test('has mints, sales, accepted bids, transfers, listings and burns, and no bid that nobody accepted', () => {
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

  test('is read page by page without a gap or a double, however many share one moment', () => {
    const times = array(integer({ min: 0, max: 6 }), { maxLength: 40 });
    // A page may be shorter than what was asked for.
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

describe('how far the past is read', () => {
  const first = new Date('2025-01-01T00:00:00Z');
  const now = new Date('2026-11-26T00:00:00Z');

  test('is the share of the time between the first event and now', () => {
    const reach = historyReach({ historyAt: new Date('2026-03-03T12:00:00Z'), isHistoryComplete: false }, first, now);
    expect(historyText(reach)).toBe('History: 61 %, up to 3 March 2026');
  });

  test('is all of it only when it has caught up with the polls', () => {
    expect(historyReach({ historyAt: now, isHistoryComplete: false }, first, now).percent).toBe(99);
    expect(historyText(historyReach({ historyAt: now, isHistoryComplete: true }, null, now))).toBe(
      'History: 100 %, up to 26 November 2026',
    );
    expect(historyText(historyReach({ historyAt: null, isHistoryComplete: false }, null, now))).toContain('nothing');
  });
});
