import { describe, expect, test } from 'vitest';
import {
  coin,
  fact,
  held,
  market,
  meme,
  now,
  quote,
  readingOf,
  rocks,
  bats,
  settings,
  sui,
  usdc,
} from '../../../tests/support/treasury-reading.ts';
import { fromDecimalText } from '../../shared/money.ts';
import { withDeclared } from './allocation.ts';
import { exportFileName, snapshotCsv, snapshotJson } from './snapshot-export.ts';
import { valueTreasury } from './valuation.ts';

const evil = '=HYPERLINK("http://x";"a"),\'<b>';

const { snapshot } = valueTreasury(
  readingOf(
    [
      sui,
      [usdc, 1_234_567n, coin(usdc, 'USDC', 6), quote('0.9998')],
      [meme, 3n, coin(meme, evil, 9), quote('0.000000001')],
      [`${meme}2`, 5n, coin(`${meme}2`, '-SPAM', 0), undefined],
    ],
    {
      stakedMist: 7_000_000_001n,
      holdings: [held(rocks, 6), held(bats, 2)],
      market: market(fact(rocks, { name: '<img src=x>' })),
    },
  ),
  settings,
  now,
);

/** A parser of RFC 4180 that is independent of the writer. */
const parseCsv = (text: string): Record<string, string>[] => {
  const cells: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    cells.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') cells.push([]);
  }
  const [head = [], ...rows] = cells.filter((row) => row.length > 1);
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
};

const rows = parseCsv(snapshotCsv(snapshot));
const micro = (text: string | undefined): bigint => fromDecimalText(text ?? '', 6) ?? 0n;
const totalOf = (name: string) => rows.find((row) => row['kind'] === 'total' && row['name'] === name);

describe('the CSV download', () => {
  test('contains staked SUI, exact to the last unit', () => {
    expect(rows.find((row) => row['name'] === 'Staked SUI')).toMatchObject({ amount: '7.000000001', counted: 'yes' });
  });

  test('has totals that are the sums of its counted rows', () => {
    const sum = (kind: string): bigint =>
      rows
        .filter((row) => row['kind'] === kind && row['counted'] === 'yes')
        .reduce((total, row) => total + micro(row['value_usd']), 0n);
    expect(micro(totalOf('tokens')?.['value_usd'])).toBe(sum('token'));
    expect(micro(totalOf('NFTs at floor')?.['value_usd'])).toBe(sum('nft'));
    expect(micro(totalOf('treasury')?.['value_usd'])).toBe(sum('token') + sum('nft'));
    expect(totalOf('NFTs at best bid')?.['value_sui']).toBe('60');
  });

  test('has type or address, raw balance, decimals, price, source, time and state in every row', () => {
    expect(rows.find((row) => row['name'] === 'USDC')).toMatchObject({
      type_or_address: usdc,
      raw_balance: '1234567',
      decimals: '6',
      amount: '1.234567',
      unit_price: '0.9998',
      price_source: 'defillama',
      value_usd: '1.23432',
      state: 'live',
      as_of: snapshot.asOf,
    });
    expect(rows.every((row) => row['as_of'] === snapshot.asOf)).toBe(true);
  });

  test('an amount is exact to the last base unit, however large', () => {
    const [first] = snapshot.tokenBreakdown;
    if (first === undefined) throw new Error('no token');
    const huge = { ...first, rawBalance: '18446744073709551615', decimals: 0, humanBalance: 18446744073709552000 };
    const [row] = parseCsv(snapshotCsv({ ...snapshot, tokenBreakdown: [huge] }));
    expect(row?.['amount']).toBe('18446744073709551615');
  });

  test('each total row carries the state, time and sources of its own figure', () => {
    const old = market(fact(rocks, { asOf: new Date('2026-11-20T11:50:00.000Z') }));
    const late = valueTreasury(readingOf([sui], { holdings: [held(rocks, 6)], market: old }), settings, now).snapshot;
    const totals = parseCsv(snapshotCsv(late)).filter((row) => row['kind'] === 'total');
    expect(totals.map((row) => [row['name'], row['state'], row['as_of'], row['price_source']])).toEqual([
      ['tokens', 'live', late.asOf, 'Sui full node, defillama'],
      ['NFTs at floor', 'stale', '2026-11-20T11:50:00.000Z', 'Sui full node, tradeport, defillama'],
      ['NFTs at best bid', 'stale', '2026-11-20T11:50:00.000Z', 'Sui full node, tradeport'],
      ['treasury', 'stale', '2026-11-20T11:50:00.000Z', 'Sui full node, defillama, tradeport'],
    ]);
  });

  test('amounts declared by the team are marked as declared and not counted, and do not change the totals', () => {
    const declared = { usd: '12000.5', at: '2026-11-01T10:00:00.000Z', by: 'Flint' };
    const allocation = withDeclared(snapshot.allocation, [{ slice: 'operations', declared }]);
    const added = parseCsv(snapshotCsv({ ...snapshot, allocation })).filter(
      (row) => !rows.some((each) => JSON.stringify(each) === JSON.stringify(row)),
    );
    expect(added).toMatchObject([
      {
        kind: 'declared',
        name: 'Operations',
        value_usd: '12000.5',
        price_source: 'declared by the team (Flint)',
        counted: 'no: declared by the team',
        as_of: declared.at,
      },
    ]);
  });

  test('names from outside never start a formula and never leave their cell', () => {
    const row = rows.find((each) => each['type_or_address'] === meme);
    expect(row?.['name']).toBe(`'${evil}`);
    expect(rows.find((each) => each['type_or_address'] === `${meme}2`)).toMatchObject({
      name: "'-SPAM",
      counted: 'no: unpriced',
      value_usd: '',
    });
    expect(rows).toHaveLength(5 + 2 + 4);
  });
});

test('the JSON download is the API answer itself, and both file names contain the time', () => {
  expect(JSON.parse(snapshotJson(snapshot))).toEqual({ data: snapshot });
  expect(exportFileName(snapshot, 'csv')).toBe('treasury-2026-11-20T11-59-00Z.csv');
});
