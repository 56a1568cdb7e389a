import { describe, expect, test } from 'vitest';
import { pageOf } from './searched-rows.tsx';

describe('pages of 50', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => index);

  test('say which of all rows they show', () => {
    const { rows: shown, range } = pageOf(rows, 1);
    expect([shown[0], shown.length, range]).toEqual([50, 50, '51 to 100 of 10,000']);
  });

  test('end with the last page when the requested one is gone', () => {
    expect(pageOf(rows.slice(0, 51), 7)).toMatchObject({ page: 1, range: '51 to 51 of 51' });
    expect(pageOf([], 3)).toMatchObject({ page: 0, range: '0 to 0 of 0' });
  });
});
