import { expect, test } from 'vitest';
import { auditQuery } from '../audit-log.ts';
import { addressWith, filtersOf, isUnfiltered, noFilters, readFilters } from './activity-tab.tsx';

test('the filters are kept in the address beside its other parameters', () => {
  const filters = { ...noFilters, actor: 'ogg & co', from: '2026-11-20' };
  const address = addressWith('/admin', 'tab=activity&action=old', filters);
  expect(address).toBe('/admin?tab=activity&actor=ogg+%26+co&from=2026-11-20');
  expect(readFilters(address.split('?')[1] ?? '')).toEqual(filters);
});

test('an address without filters filters nothing, and an invalid day is ignored', () => {
  expect(isUnfiltered(readFilters('tab=activity'))).toBe(true);
  expect(isUnfiltered(readFilters('from=yesterday&to=<b>'))).toBe(true);
});

test.each([
  ['a day that no month has', 'from=2026-02-31&to=2026-13-01'],
  ['a text that is too long', `actor=${'x'.repeat(201)}&subject=${'x'.repeat(199)}%20${'y'.repeat(200)}`],
  ['a character that no text has', 'action=a%00b&subject=%00'],
])('no address makes a filter that the server refuses: %s', (_, search) => {
  expect(auditQuery.safeParse(filtersOf(readFilters(search))).error).toBeUndefined();
});

test('a day runs from its first to its last millisecond, in UTC', () => {
  expect(filtersOf({ ...noFilters, from: '2026-11-20', to: '2026-11-20' })).toEqual({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-20T23:59:59.999Z',
  });
});
