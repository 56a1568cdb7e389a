import { describe, expect, test } from 'vitest';

import type { MarketAction } from '../../sources/tradeport/rows.ts';
import {
  cursorAfter,
  describeAction,
  draftEvents,
  progressAfterPast,
  type ReadProgress,
  readSince,
  readTypes,
  reportedTypes,
} from './activity-rules.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 20, 12) + minutes * 60_000);
const row = (change: Partial<MarketAction> = {}): MarketAction => ({
  id: 'a1',
  type: 'buy',
  priceMist: 1n,
  foreignCoinType: null,
  foreignRawAmount: null,
  sender: 'sender',
  receiver: 'receiver',
  transactionDigest: 'D1',
  happenedAt: at(0),
  marketName: 'tradeport',
  nftObjectId: 'n1',
  nftName: null,
  nftImageUrl: null,
  nftRank: null,
  ...change,
});
const beginning = new Date(0);

describe("what the marketplace's activity types mean (rulings R4)", () => {
  test.each([
    ['mint', { kind: 'mint', buyer: 'receiver', seller: null }],
    ['buy', { kind: 'sale', buyer: 'receiver', seller: 'sender' }],
    ['accept-bid', { kind: 'sale', buyer: 'receiver', seller: 'sender' }],
    ['accept-collection-bid', { kind: 'sale', buyer: 'receiver', seller: 'sender' }],
    ['accept-attribute-bid', { kind: 'sale', buyer: 'receiver', seller: 'sender' }],
    ['list', { kind: 'listing', buyer: null, seller: 'sender' }],
    ['relist', { kind: 'listing', buyer: null, seller: 'sender' }],
    ['solo-bid', { kind: 'bid', buyer: 'sender', seller: null }],
    ['bid', { kind: 'bid', buyer: 'sender', seller: null }],
    ['collection-bid', { kind: 'bid', buyer: 'sender', seller: null }],
  ])('%s', (type, expected) => {
    expect(reportedTypes).toContain(type);
    expect(describeAction(row({ type }))).toEqual(expected);
  });

  test('the buyer of a mint without a receiver is the sender', () => {
    expect(describeAction(row({ type: 'mint', receiver: null }))).toMatchObject({ buyer: 'sender' });
  });

  // Rulings R5: both wallets are checked again; R4: groups get no message.
  test.each([
    ['transfer', { kind: 'transfer', buyer: 'receiver', seller: 'sender' }],
    ['burn', { kind: 'transfer', buyer: null, seller: 'sender' }],
  ])('%s is read but not reported', (type, expected) => {
    expect(readTypes).toContain(type);
    expect(reportedTypes).not.toContain(type);
    expect(describeAction(row({ type }))).toEqual(expected);
  });

  test.each(['unlist', 'transfer-hold', 'unlist-bid', 'cancel-collection-bid', 'constructor', 'teleport', ''])(
    '%j is not read',
    (type) => {
      expect(describeAction(row({ type }))).toBeNull();
      expect(draftEvents([row({ type })], beginning)).toEqual([]);
    },
  );
});

describe('one fact has one key, and is stored once', () => {
  const keys = (...rows: MarketAction[]) => draftEvents(rows, beginning).map(({ eventKey }) => eventKey);

  test('by transaction, piece and kind, whichever market reports it and under whichever type', () => {
    const other = row({ id: 'a2', marketName: 'bluemove', type: 'accept-bid' });
    expect(keys(row(), other)).toEqual(['D1/n1/sale', 'D1/n1/sale']);
  });

  test('another piece, kind or transaction is another event', () => {
    const rows = [row(), row({ id: 'a2', nftObjectId: 'n2' }), row({ id: 'a3', type: 'list' })];
    expect(new Set(keys(...rows, row({ id: 'a4', transactionDigest: 'D2' }))).size).toBe(4);
  });

  test('an event about the whole collection has no piece', () => {
    expect(keys(row({ type: 'collection-bid', nftObjectId: null }))).toEqual(['D1/collection/bid']);
  });

  // The indexer may learn of new pieces later. Two markets report sales, never mints or transfers.
  test.each(['mint', 'transfer', 'list'])('each %s of an unknown piece is an event of its own', (type) => {
    const rows = [row({ type, nftObjectId: null }), row({ type, nftObjectId: null, id: 'a2' })];
    expect(new Set(keys(...rows)).size).toBe(2);
  });

  test('without a transaction, each row is an event of its own', () => {
    expect(keys(row({ transactionDigest: null }), row({ transactionDigest: null, id: 'a2' }))).toEqual([
      'action:a1/n1/sale',
      'action:a2/n1/sale',
    ]);
  });

  test('a repeated row has the id of the first one even if its piece has become known since', () => {
    const ids = draftEvents([row({ nftObjectId: null }), row()], beginning).map(({ actionId }) => actionId);
    expect(ids).toEqual(['a1', 'a1']);
  });

  test('events come oldest first, and those older than requested are left out', () => {
    const rows = [row({ id: '1', happenedAt: at(5), transactionDigest: 'late' })];
    rows.push(row({ id: '2', happenedAt: at(1), transactionDigest: 'early' }));
    rows.push(row({ id: '3', happenedAt: at(-60), transactionDigest: 'history' }));
    expect(draftEvents(rows, at(0)).map(({ transactionDigest }) => transactionDigest)).toEqual(['early', 'late']);
  });
});

describe('where a poll begins to read', () => {
  const progress: ReadProgress = { knownFrom: null, cursorAt: at(0), isBehind: false, pollCount: '1' };

  test.each([
    ['ten minutes before the newest event', progress, at(-10)],
    ['an hour before it with every twentieth poll', { ...progress, pollCount: '39' }, at(-60)],
    ['at the newest event while it is behind', { ...progress, isBehind: true }, at(0)],
    ['never before the start of the known past', { ...progress, knownFrom: at(-3) }, at(-3)],
    ['at the beginning of time if there were never any events', { ...progress, cursorAt: null }, beginning],
  ])('%s', (_where, given, expected) => {
    expect(readSince(given)).toEqual(expected);
  });

  test('the cursor follows the newest event, never goes back, and never runs ahead of time', () => {
    const after = (happenedAt: Date, change: Partial<ReadProgress> = {}) =>
      cursorAfter({ ...progress, ...change }, [row({ happenedAt })], at(3));
    expect(after(at(2))).toEqual(at(2));
    expect(after(at(-2))).toEqual(at(0));
    expect(after(at(300))).toEqual(at(3));
    expect(after(at(1), { cursorAt: null })).toEqual(at(1));
    expect(cursorAfter(progress, [], at(3))).toEqual(at(0));
    expect(cursorAfter({ ...progress, cursorAt: null }, [], at(3))).toBeNull();
  });

  test('while it is behind, a slow clock does not hold it up', () => {
    expect(cursorAfter({ ...progress, isBehind: true }, [row({ happenedAt: at(5) })], at(-300))).toEqual(at(5));
  });
});

describe('after the first sight', () => {
  const rows = [row({ happenedAt: at(0) }), row({ happenedAt: at(-30) })];

  test('the known past begins just after the oldest row read: there may be more rows of the same moment', () => {
    expect(progressAfterPast(rows, false, at(0))).toEqual({
      knownFrom: new Date(at(-30).getTime() + 1),
      cursorAt: at(0),
      isBehind: false,
    });
  });

  test('the known past has no beginning once the whole past was read', () => {
    expect(progressAfterPast(rows, true, at(0))).toMatchObject({ knownFrom: null, cursorAt: at(0) });
  });

  test('an empty past begins an hour ago: it may be a mistake, and older events must not be reported later', () => {
    expect(progressAfterPast([], true, at(0))).toEqual({ knownFrom: at(-60), cursorAt: at(-60), isBehind: false });
  });
});
