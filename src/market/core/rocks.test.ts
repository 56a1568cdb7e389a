import { describe, expect, test } from 'vitest';

import type { NftSpot, TableNft } from './owner-table.ts';
import { historyReach, historyText } from '../../shared/history-reach.ts';
import { colorNamed, oldestAsOf, missedRocks, partOfTotal, rocksAfterReading, rocksOf } from './rocks.ts';

const asOf = new Date('2026-11-20T00:00:00Z');

function tableNft(objectId: string, given: Partial<TableNft> = {}): TableNft {
  const spot: NftSpot = { kind: 'wallet', address: '0xa' };
  return {
    objectId,
    name: null,
    hint: null,
    spot,
    listing: null,
    imageUrl: null,
    index: null,
    ...given,
  };
}

const rocksIn = (nfts: readonly TableNft[], holders: Readonly<Record<string, readonly string[]>> = {}) =>
  rocksOf(
    {
      table: {
        asOf,
        isComplete: true,
        nfts,
        holders: new Map(Object.entries(holders).map(([kioskId, wallets]) => [kioskId, new Set(wallets)])),
      },
      personalKiosks: new Set(['0xpersonal']),
    },
    new Map(),
  );

describe('rulings R8: a rock', () => {
  test('has the number in its name, else its place in mint order, and no two rocks share a number', () => {
    const rocks = rocksIn([
      tableNft('0x1', { name: 'Sui Rock #7', index: 3 }),
      tableNft('0x2', { name: 'Nameless', index: 4 }),
      tableNft('0x3', { name: 'An impostor #7', index: 9 }),
      tableNft('0x4', { name: 'Number #0' }),
    ]);
    expect(rocks.map(({ objectId, number }) => [objectId, number])).toEqual([
      ['0x4', 1],
      ['0x2', 4],
      ['0x1', 7],
      ['0x3', 9],
    ]);
  });

  test.each([
    ['Sui Rock 12', 12],
    ['Sui Rock # 12 ', 12],
    ['12', 12],
    ['Sui Rock 1.12', 3],
    ['Rock 12 of the first drop', 3],
  ])('named %j has the number %i', (name, number) => {
    expect(rocksIn([tableNft('0x1', { name, index: 3 })])[0]?.number).toBe(number);
  });

  test('is gone once burned, and the others keep their numbers', () => {
    const rocks = rocksIn([tableNft('0x1', { spot: { kind: 'burned' } }), tableNft('0x2')]);
    expect(rocks.map(({ objectId, number }) => [objectId, number])).toEqual([['0x2', 2]]);
  });

  test('belongs to its wallet, the holder of its kiosk, or its lister; otherwise the owner is unknown', () => {
    const rocks = rocksIn(
      [
        tableNft('0x1', { index: 1 }),
        tableNft('0x2', { index: 2, spot: { kind: 'kiosk', kioskId: '0xk' } }),
        tableNft('0x3', { index: 3, spot: { kind: 'kiosk', kioskId: '0xpersonal' } }),
        tableNft('0x4', { index: 4, spot: { kind: 'marketplace', seller: '0xs' } }),
        tableNft('0x5', { index: 5, spot: { kind: 'kiosk', kioskId: '0xnobody' } }),
        tableNft('0x6', { index: 6, spot: { kind: 'nowhere' } }),
        tableNft('0x7', { index: 7, spot: { kind: 'kiosk', kioskId: '0xshared' }, hint: '0xh' }),
        tableNft('0x8', { index: 8, spot: { kind: 'kiosk', kioskId: '0xshared' } }),
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

describe('a rock missing from an incomplete answer of the marketplace', () => {
  const dayMs = 86_400_000;
  const at = (ageMs: number): Date => new Date(Date.UTC(2026, 10, 28) - ageMs);
  const rock = (number: number, ageMs: number) => {
    const listing = { priceMist: BigInt(number), marketName: 'tradeport' };
    return rocksIn([tableNft(`0x${number}`, { index: number, listing })]).map((each) => ({
      ...each,
      readAt: at(ageMs),
    }));
  };
  const before = [...rock(1, dayMs - 1), ...rock(2, dayMs), ...rock(3, 0)];

  test('stays as it was, and after a day is no longer shown as for sale', () => {
    const missed = missedRocks(before, rock(3, 0), { nfts: [tableNft('0x3')], asOf: at(0) });
    expect(missed.map(({ number, listing }) => [number, listing?.priceMist ?? null])).toEqual([
      [1, 1n],
      [2, null],
    ]);
  });

  test('does not stay if it was burned', () => {
    const burned = tableNft('0x1', { spot: { kind: 'burned' } });
    const missed = missedRocks(before, rock(3, 0), { nfts: [tableNft('0x3'), burned], asOf: at(0) });
    expect(missed.map(({ number }) => number)).toEqual([2]);
  });

  test('sets the age of all rocks for one day only', () => {
    expect(oldestAsOf(before, at(0))).toEqual(at(dayMs - 1));
    expect(oldestAsOf(before.slice(1), at(0))).toEqual(at(0));
  });

  test.each([
    ['a complete reading replaces all', rock(3, 0), true, { numbers: [3], asOf: at(0) }],
    [
      'an incomplete one keeps the missed, and is as old as they',
      rock(3, 0),
      false,
      { numbers: [3, 1, 2], asOf: at(dayMs - 1) },
    ],
    ['one without any rocks is no answer while some are known', [], true, { numbers: [1, 2, 3], asOf: null }],
    ['an incomplete one without any rocks is no answer either', [], false, { numbers: [1, 2, 3], asOf: null }],
  ])('a reading: %s', (_rule, read, isComplete, after) => {
    const nfts = read.map(({ objectId }) => tableNft(objectId));
    const { rocks, asOf: readAt } = rocksAfterReading(before, read, { nfts, asOf: at(0), isComplete });
    expect({ numbers: rocks.map(({ number }) => number), asOf: readAt }).toEqual(after);
  });

  test('no rock at all is an answer if the reading was complete and none were known', () => {
    const empty = { nfts: [], asOf: at(0) };
    expect(rocksAfterReading([], [], { ...empty, isComplete: true })).toEqual({ rocks: [], asOf: at(0) });
    expect(rocksAfterReading([], [], { ...empty, isComplete: false })).toEqual({ rocks: [], asOf: null });
  });
});

describe('how far the past is read', () => {
  const first = new Date('2025-01-01T00:00:00Z');
  const now = new Date('2026-11-26T00:00:00Z');

  test('is the share of the time between the first event and now', () => {
    const reach = historyReach({ historyAt: new Date('2026-03-03T12:00:00Z'), isHistoryComplete: false }, first, now);
    expect(historyText(reach)).toBe('History: 61 %, up to 3 March 2026');
  });

  test('is 100 % only once it has caught up with the polls', () => {
    expect(historyReach({ historyAt: now, isHistoryComplete: false }, first, now).percent).toBe(99);
    expect(historyText(historyReach({ historyAt: now, isHistoryComplete: true }, null, now))).toBe(
      'History: 100 %, up to 26 November 2026',
    );
    expect(historyText(historyReach({ historyAt: null, isHistoryComplete: false }, null, now))).toContain('nothing');
  });
});

describe("some rocks' part of the total", () => {
  test.each([
    ['one of 382', 1_247.5, 1, 382, { usd: 3.265707, percent: 0.26 }],
    ['all of them', 1_247.5, 382, 382, { usd: 1_247.5, percent: 100 }],
    ['none', 1_247.5, 0, 382, { usd: 0, percent: 0 }],
    ['three, with an unknown total', null, 3, 382, { usd: null, percent: 0.79 }],
    ['an unknown number', 1_247.5, null, 382, { usd: null, percent: null }],
    ['three of an unknown number', 1_247.5, 3, null, { usd: null, percent: null }],
    ['none, with none minted', 1_247.5, 0, 0, { usd: null, percent: null }],
    ['a number that is no count', 1_247.5, 1.5, 382, { usd: null, percent: null }],
  ])('%s: total / minted for each', (_what, total, count, minted, part) => {
    expect(partOfTotal(total, count, minted)).toEqual(part);
  });
});
