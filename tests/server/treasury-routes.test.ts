import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route, RouteAnswer } from '../../src/server/route.ts';
import { treasuryBalanceAnswer, treasuryHistoryAnswer, treasuryHistoryQuery } from '../../src/treasury/contract.ts';
import type { Treasury } from '../../src/treasury/treasury.ts';
import { routeRequest } from '../support/route-request.ts';
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

const ask = async (path: string, query: unknown = {}): Promise<RouteAnswer> =>
  routeOf(path).handle(routeRequest({ query }));

const pointsOf = async (days: number) => {
  const answer = await ask('/api/treasury/history', { days });
  return treasuryHistoryAnswer.parse('body' in answer ? answer.body : null).data.points;
};

describe('the treasury’s calls (specification 7, rulings R3)', () => {
  test('all four are GET and public (specification 6)', () => {
    expect(treasury.routes.map(({ method, path, access }) => `${method} ${path} ${access}`)).toEqual([
      'GET /api/treasury/balance public',
      'GET /api/treasury/history public',
      'GET /api/treasury/export.csv public',
      'GET /api/treasury/export.json public',
    ]);
  });

  test('GET /api/treasury/balance answers what the ready body holds', async () => {
    const answer = await ask('/api/treasury/balance');
    const ready: unknown = JSON.parse(treasury.balanceBody()?.identity.toString() ?? 'null');
    expect(answer).toEqual({ status: 200, body: ready });
    expect(treasuryBalanceAnswer.parse(ready)).toEqual(ready);
    expect(treasury.balanceBody()).toMatchObject({ contentType: 'application/json; charset=utf-8' });
  });

  test('downloads carry the time in their name and the same figures', async () => {
    const { asOf, totalUsdValue } = treasury.snapshot() ?? {};
    const stamp = asOf?.slice(0, 19).replaceAll(':', '-');
    const csv = await ask('/api/treasury/export.csv');
    expect(csv).toMatchObject({
      status: 200,
      contentType: 'text/csv; charset=utf-8',
      fileName: `treasury-${stamp}Z.csv`,
    });
    expect('raw' in csv && csv.raw).toContain(`,${totalUsdValue},`);
    const json = await ask('/api/treasury/export.json');
    expect(json).toMatchObject({ fileName: `treasury-${stamp}Z.json` });
    expect(JSON.parse('raw' in json ? json.raw : '')).toEqual({ data: treasury.snapshot() });
  });

  test('history has one point an hour, oldest first, within the days asked for', async () => {
    const first = treasury.snapshot();
    await world.refresh(treasury);
    expect(await pointsOf(1)).toHaveLength(1);
    await world.refresh(treasury, hourMs);
    const points = await pointsOf(1);
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
    expect(await pointsOf(1)).toHaveLength(1);
    expect(await pointsOf(2)).toHaveLength(3);
  });

  test.each([{ days: 0 }, { days: 91 }, { days: 1.5 }, { days: 'x' }, { days: 1, extra: 1 }])(
    'history refuses %j',
    (query) => {
      expect(treasuryHistoryQuery.safeParse(query).success).toBe(false);
    },
  );

  test('the page without scripts shows the same snapshot', () => {
    expect(treasury.noscriptHtml()).toContain(treasury.snapshot()?.treasuryAddress ?? 'no snapshot');
  });
});
