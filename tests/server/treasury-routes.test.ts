import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReadyAnswer } from '../../src/http/ready/ready-answer.ts';
import { findReadyAmong, type Route } from '../../src/http/route.ts';
import {
  historySpans,
  treasurySnapshot,
  treasuryHistoryAnswer,
  type HistorySpan,
} from '../../src/treasury/contract.ts';
import { type Treasury, treasuryHistoryQuery } from '../../src/treasury/treasury.ts';
import { askRoute, dataOf, type SentAnswer } from '../support/route-request.ts';
import { startTreasuryWorld } from '../support/running-treasury.ts';
import type { TreasuryWorld } from '../support/running-treasury.ts';
import { until } from '../support/until.ts';

let world: TreasuryWorld;
let treasury: Treasury;
const hourMs = 3_600_000;

beforeAll(async () => {
  world = await startTreasuryWorld();
  treasury = world.copy();
  await treasury.start();
  await until('the first snapshot is there', () => treasury.snapshot() !== null);
  await world.settled();
});
afterAll(() => world.end());

const routeOf = (path: string): Route => {
  const route = treasury.routes.find((each) => each.path === path);
  if (route === undefined) throw new Error(`No route ${path}`);
  return route;
};

const ask = async (path: string, query: unknown = {}): Promise<SentAnswer> => askRoute(routeOf(path), { query });

const bodyOf = async (path: string, query: unknown = {}): Promise<ReadyAnswer> => {
  const answer = await ask(path, query);
  if (!('ready' in answer)) throw new Error(`${path} answered ${answer.status}`);
  return answer.ready;
};

const textOf = async (path: string): Promise<string> => (await bodyOf(path)).identity.toString();

const pointsOf = async (days: HistorySpan) => {
  const { identity } = await bodyOf('/api/treasury/history', { days });
  return dataOf(treasuryHistoryAnswer, JSON.parse(identity.toString())).points;
};

describe('the treasury’s calls (specification 7, rulings R3)', () => {
  test('all are GET and public (specification 6)', () => {
    expect(treasury.routes.map(({ method, path, access }) => `${method} ${path} ${access}`)).toEqual([
      'GET /api/treasury/balance public',
      'GET /api/treasury/history public',
      'GET /api/treasury/trend public',
      'GET /api/treasury/export.csv public',
      'GET /api/treasury/export.json public',
    ]);
  });

  test('GET /api/treasury/balance returns the ready answer', async () => {
    const ready = findReadyAmong(treasury.routes)('/api/treasury/balance');
    expect(await ask('/api/treasury/balance')).toEqual({ status: 200, ready });
    const answer: unknown = JSON.parse(ready?.identity.toString() ?? 'null');
    expect({ data: dataOf(treasurySnapshot, answer) }).toEqual(answer);
    expect(ready).toMatchObject({ contentType: 'application/json; charset=utf-8' });
  });

  test('downloads have the time in their names and the same figures', async () => {
    const { asOf, totalUsdValue } = treasury.snapshot() ?? {};
    const stamp = asOf?.slice(0, 19).replaceAll(':', '-');
    const named = (type: string) => ({ 'Content-Disposition': `attachment; filename="treasury-${stamp}Z.${type}"` });
    expect(await bodyOf('/api/treasury/export.csv')).toMatchObject({
      contentType: 'text/csv; charset=utf-8',
      extraHeaders: named('csv'),
    });
    expect(await textOf('/api/treasury/export.csv')).toContain(`,${totalUsdValue},`);
    expect(await bodyOf('/api/treasury/export.json')).toMatchObject({ extraHeaders: named('json') });
    expect(JSON.parse(await textOf('/api/treasury/export.json'))).toEqual({ data: treasury.snapshot() });
  });

  test('every answer is made once for each change, compressed, however many requests come at the same time', async () => {
    await world.refresh(treasury);
    const queries = [...historySpans.map((days) => `days=${days}`), ''];
    const calls = [
      ...queries.map((query) => ['/api/treasury/history', query] as const),
      ['/api/treasury/export.csv', ''] as const,
      ['/api/treasury/export.json', ''] as const,
    ];
    for (const [path, query] of calls) {
      const params = Object.fromEntries(new URLSearchParams(query));
      const asked = await Promise.all(Array.from({ length: 50 }, () => bodyOf(path, params)));
      expect(new Set(asked).size, path).toBe(1);
      expect(findReadyAmong(treasury.routes)(path, query), `${path}?${query}`).toBe(asked[0]);
    }
    const csv = findReadyAmong(treasury.routes)('/api/treasury/export.csv');
    expect(csv?.brotli.length).toBeLessThan(csv?.identity.length ?? 0);
    await world.refresh(treasury);
    for (const [path, query] of calls) expect(findReadyAmong(treasury.routes)(path, query), path).toBeUndefined();
  });

  test('history has one point an hour, oldest first, within the days asked for', async () => {
    const first = treasury.snapshot();
    await world.refresh(treasury);
    expect(await pointsOf('1')).toHaveLength(1);
    await world.refresh(treasury, hourMs);
    const points = await pointsOf('1');
    expect(points.map((point) => point.at)).toEqual([
      new Date(Date.parse(first?.asOf ?? '') + 60_000).toISOString(),
      treasury.snapshot()?.asOf,
    ]);
    expect(points[1]).toMatchObject({
      totalUsdValue: treasury.snapshot()?.totalUsdValue,
      nftTotalValueUsd: treasury.snapshot()?.nftTotalValueUsd,
      tokenTotalUsd: treasury.snapshot()?.tokenTotalUsd,
    });
    await world.refresh(treasury, 30 * hourMs);
    expect(await pointsOf('1')).toHaveLength(1);
    expect(await pointsOf('7')).toHaveLength(3);
  });

  test('a span moves on even while nothing new is read', async () => {
    const last = (await pointsOf('1')).at(-1)?.at;
    expect(last).toBe(treasury.snapshot()?.asOf);
    await world.sandbox.faults.set('sui', { kind: '500' });
    await world.refresh(treasury, 25 * hourMs);
    expect(await pointsOf('1')).toEqual([]);
    expect((await pointsOf('7')).at(-1)?.at).toBe(last);
    await world.sandbox.faults.clear();
  });

  test('while the database fails the last answer stays, and new points follow when it is back', async () => {
    await world.refresh(treasury);
    const before = await pointsOf('7');
    await world.database.rows('alter table treasury_history rename to treasury_history_away');
    await world.refresh(treasury, hourMs + 1);
    expect(findReadyAmong(treasury.routes)('/api/treasury/history', 'days=7')).toBeUndefined();
    expect(await pointsOf('7')).toEqual(before);
    expect(JSON.parse(await textOf('/api/treasury/trend'))).toMatchObject({ data: { state: 'stale' } });
    await world.database.rows('alter table treasury_history_away rename to treasury_history');
    await world.refresh(treasury);
    expect((await pointsOf('7')).length).toBe(before.length + 1);
  });

  test.each([{ days: '0' }, { days: '2' }, { days: '91' }, { days: '1.5' }, { days: 'x' }, { days: '1', extra: '1' }])(
    'history refuses %j',
    (query) => {
      expect(treasuryHistoryQuery.safeParse(query).success).toBe(false);
    },
  );

  test('no other spelling of a query has a ready answer of its own', () => {
    for (const query of ['days=30&', 'days=030', 'days=%33%30', 'days=30&days=7', 'DAYS=30']) {
      expect(findReadyAmong(treasury.routes)('/api/treasury/history', query), query).toBeUndefined();
    }
  });

  test('the page without scripts shows the same snapshot', () => {
    expect(treasury.noscriptHtml()).toContain(treasury.snapshot()?.treasuryAddress ?? 'no snapshot');
  });
});
