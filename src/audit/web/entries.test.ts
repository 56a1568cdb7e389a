import { describe, expect, test } from 'vitest';
import { actionInWords, differenceOf, inOneLine } from './entries.tsx';

describe('rulings R6: before and after of an action', () => {
  test('a changed field is shown with both values, an unchanged one is left out', () => {
    expect(
      differenceOf({ hexCollectionId: null, chatId: '-100' }, { hexCollectionId: '0xab', chatId: '-100' }),
    ).toEqual([{ field: 'hex collection id', before: 'none', after: '0xab' }]);
  });

  test('a change at the end of a long text is shown', () => {
    const [reason, longer] = ['x'.repeat(500), `${'x'.repeat(499)}y`];
    expect(differenceOf({ reason }, { reason: longer })).toEqual([{ field: 'reason', before: reason, after: longer }]);
  });

  test('something created has no before, something deleted no after', () => {
    expect(differenceOf(null, { username: 'ogg' })).toEqual([{ field: 'username', before: null, after: 'ogg' }]);
    expect(differenceOf({ username: 'ogg' }, null)).toEqual([{ field: 'username', before: 'ogg', after: null }]);
  });

  test('a nested field is named by its path', () => {
    expect(differenceOf({ mintStats: { mintedCount: 3 } }, { mintStats: { mintedCount: 0 } })).toEqual([
      { field: 'mint stats › minted count', before: '3', after: '0' },
    ]);
  });

  test('changed list elements are named by their position, and unchanged ones left out, however long the list', () => {
    const row = (number: number) => ({ address: `0x${String(number).repeat(64)}`, reason: 'Of the team' });
    const [before, after] = [
      [row(1), row(2), row(3)],
      [row(1), row(2), row(4), row(5)],
    ];
    expect(differenceOf({ leftOut: before }, { leftOut: after })).toEqual([
      { field: 'left out 3 › address', before: row(3).address, after: row(4).address },
      { field: 'left out 4 › address', before: null, after: row(5).address },
      { field: 'left out 4 › reason', before: null, after: 'Of the team' },
    ]);
    expect(differenceOf({ rocks: [7, 12] }, { rocks: [7] })).toEqual([{ field: 'rocks 2', before: '12', after: null }]);
  });

  test.each([
    [true, 'yes'],
    [false, 'no'],
    [null, 'none'],
    ['', 'none'],
    [0, '0'],
    [[], 'none'],
    [{}, 'none'],
    ['2026-11-24T09:31:59.179Z', '24 Nov 2026, 09:31 UTC'],
  ])('%j reads %s', (value, words) => {
    expect(differenceOf(null, { value })).toEqual([{ field: 'value', before: null, after: words }]);
  });

  test('equal values before and after are no difference', () => {
    expect(differenceOf(null, null)).toEqual([]);
    expect(differenceOf({ a: [1] }, { a: [1] })).toEqual([]);
  });
});

describe('the line about a created subject', () => {
  const changesOf = (after: Readonly<Record<string, unknown>>) => differenceOf(null, after);

  test('leaves out long and empty values', () => {
    const after = {
      chatId: '-1001',
      collectionName: 'Sui Rocks',
      collectionId: '0'.repeat(70),
      maxSupply: 555,
      hex: null,
    };
    expect(inOneLine(changesOf(after))).toEqual({
      line: 'chat id: -1001 · collection name: Sui Rocks · max supply: 555',
      isAll: false,
    });
  });

  test('ends before it becomes too long', () => {
    const after = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field ${index}`, index]));
    expect(inOneLine(changesOf(after)).line.length).toBeLessThanOrEqual(90);
    expect(inOneLine(changesOf({ username: 'ogg' }))).toEqual({ line: 'username: ogg', isAll: true });
  });
});

test('an action is shown in words', () => {
  expect(actionInWords('telegram-configuration-deleted')).toBe('Telegram configuration deleted');
});
