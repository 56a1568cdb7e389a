import { describe, expect, test } from 'vitest';
import { noFilters, readFilters, searchOf } from './rock-filters.ts';

const owner = `0x${'ab'.repeat(32)}`;

describe('the filters in the address of /rocks', () => {
  test('are read as they were written, so that back, reload and sharing lead to the same rocks', () => {
    const filters = { color: 'Azure Pulse', isListed: true, owner, sort: 'price', page: 2 } as const;
    const search = searchOf(filters);
    expect(search).toBe(`?color=Azure%20Pulse&listed=true&owner=${owner}&sort=price&page=2`);
    expect(readFilters(search)).toEqual({ filters, problems: [] });
  });

  test('that narrow nothing leave the address bare', () => {
    expect(searchOf(noFilters)).toBe('');
    expect(readFilters('')).toEqual({ filters: noFilters, problems: [] });
    expect(readFilters('?color=&listed=false&utm=x')).toEqual({ filters: noFilters, problems: [] });
  });

  test.each([
    ['?color=Pink', 'no such color'],
    ['?color=toString', 'no such color'],
    ['?listed=perhaps', 'either true or false'],
    ['?owner=0x12', 'too short'],
    ['?sort=loudest', 'no such order'],
    ['?page=-1', 'no such page'],
    ['?page=1000000000', 'no such page'],
    ['?page=1e3', 'no such page'],
  ])('%s is left out, with one clear sentence', (search, words) => {
    const { filters, problems } = readFilters(search);
    expect(filters).toEqual(noFilters);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
  });

  test('one odd part takes no other with it', () => {
    const { filters, problems } = readFilters('?color=frosted+mist&page=0');
    expect([filters.color, filters.page, problems.length]).toEqual(['Frosted Mist', 1, 1]);
  });
});
