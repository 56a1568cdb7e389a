import { describe, expect, test } from 'vitest';
import { lookedUp, noFilters, readFilters, readWalletText, searchOf } from './rock-filters.ts';

const owner = `0x${'ab'.repeat(32)}`;

describe('the filters in the address of /rocks', () => {
  test('are read as they were written, so that back, reload and sharing lead to the same rocks', () => {
    const filters = { color: 'Azure Pulse', isListed: true, owner, sort: 'price', page: 2 } as const;
    const search = searchOf(filters);
    expect(search).toBe(`?color=Azure%20Pulse&listed=true&owner=${owner}&sort=price&page=2`);
    expect(readFilters(search)).toEqual({ filters, problems: [] });
  });

  test('leave the address bare when nothing is filtered', () => {
    expect(searchOf(noFilters)).toBe('');
    expect(readFilters('')).toEqual({ filters: noFilters, problems: [] });
    expect(readFilters('?color=&listed=&utm=x')).toEqual({ filters: noFilters, problems: [] });
  });

  test.each([
    ['?color=Pink', 'no such color'],
    ['?color=toString', 'no such color'],
    ['?listed=perhaps', 'only be true'],
    ['?listed=false', 'only be true'],
    ['?owner=0x12', 'must be a Sui address'],
    ['?owner=example.sui', 'must be a Sui address'],
    ['?sort=loudest', 'no such order'],
    ['?page=-1', 'no such page'],
    ['?page=1000000000', 'no such page'],
    ['?page=1e3', 'no such page'],
  ])('%s is ignored, with one clear sentence', (search, words) => {
    const { filters, problems } = readFilters(search);
    expect(filters).toEqual(noFilters);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
  });

  test('one invalid part does not affect the others', () => {
    const { filters, problems } = readFilters('?color=frosted+mist&page=0');
    expect([filters.color, filters.page, problems.length]).toEqual(['Frosted Mist', 1, 1]);
  });
});

const digits = 'aB'.repeat(32);

test('an address is read with capitals, spaces and direction marks around it, and without 0x', () => {
  const address = `0x${digits.toLowerCase()}`;
  for (const text of [`0x${digits}`, ` 0X${digits}\n`, `\u200E0x${digits}\u200F`, digits])
    expect(readWalletText(text)).toEqual({ address });
});

test.each([
  ['grug.sui', 'grug.sui'],
  [' @Grug ', 'grug.sui'],
  ['cave.grug.sui', 'cave.grug.sui'],
  ['cave@grug', 'cave.grug.sui'],
  ['0x12.sui', '0x12.sui'],
])('%j is the name %s', (text, name) => {
  expect(readWalletText(text)).toEqual({ name });
});

test.each([
  ['', 'Paste a Sui address or a name first'],
  ['0x12', 'too short: it has 2 of 64'],
  [`0x${digits}f`, 'too long: it has 65 of 64'],
  [`0x${'a'.repeat(40)}`, 'another chain'],
  ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 'another chain'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'another chain'],
  ['grug.eth', 'not a Sui name'],
  ['@gr_ug', 'not a Sui name'],
  ['-grug.sui', 'not a Sui name'],
  ['<script>', 'not a Sui address'],
])('for %j, one sentence says what is wrong', (text, words) => {
  const read = readWalletText(text);
  expect('problem' in read && read.problem).toContain(words);
});

describe('what is typed in the field for a rock, an address or a name', () => {
  test.each([
    ['12', '/rocks/12'],
    ['#555', '/rocks/555'],
    ['example.sui', '/holders/example.sui'],
    [owner.replace('ab', 'AB'), `/holders/${owner}`],
  ])('%s leads to %s', (typed, to) => expect(lookedUp(typed)).toEqual({ to }));

  test.each(['0', '-1', '556', '999999999', '#0'])('%s is not called a short address', (typed) =>
    expect(lookedUp(typed)).toEqual({ problem: 'A rock has a number from 1 to 555.' }),
  );
});
