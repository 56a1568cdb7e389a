import { expect, test } from 'vitest';
import { Unavailable } from '../../src/shared/failure.ts';
import { startDaysScene } from '../support/days-scene.ts';

/** Rulings R8: trouble with past prices, from which the value of each day is calculated. */

const dayMs = 86_400_000;
const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
const midnightMs = Math.floor(Date.now() / dayMs) * dayMs;
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

test('a source that fails halfway is read on from there: nothing is requested twice, and the days are the same', async () => {
  let asked = 0;
  let isAway = false;
  const scene = await startDaysScene({
    pastPrices: ({ readPastPrices }) => ({
      readPastPrices: async (coinTypes, range, stop) => {
        if (isAway) throw new Unavailable('network', 'The prices are away');
        if (range.every === 'day') asked += 1;
        return readPastPrices(coinTypes, range, stop);
      },
    }),
  });
  await scene.read();
  expect(await scene.priceDaysOnce()).not.toBeNull();
  isAway = true;
  await expect(scene.priceDaysOnce()).rejects.toThrow('The prices are away');
  const { points } = await scene.history('all');
  expect(points.length).toBe(100);
  isAway = false;
  await scene.priceDays();
  const whole = (await scene.history('all')).points;
  expect(whole.slice(0, 100).map(({ totalUsdValue }) => totalUsdValue)).toEqual(
    points.map(({ totalUsdValue }) => totalUsdValue),
  );
  expect(whole.length).toBeGreaterThan(400);
  expect(asked).toBe(Math.ceil(whole.length / 100));
  await scene.end();
});

test('a day on which a coin has no price is a named gap, never a smaller value', async () => {
  const [fromMs, toMs] = [midnightMs - 50 * dayMs, midnightMs - 40 * dayMs];
  const isGone = ({ asOf }: { readonly asOf: Date }): boolean => asOf.getTime() > fromMs && asOf.getTime() < toMs;
  const scene = await startDaysScene({
    pastPrices: ({ readPastPrices }) => ({
      readPastPrices: async (coinTypes, range, stop) => {
        const found = await readPastPrices(coinTypes, range, stop);
        return new Map(
          [...found].map(([coinType, quotes]) =>
            coinType === suiType || range.every === 'hour'
              ? [coinType, quotes]
              : [coinType, quotes.filter((quote) => !isGone(quote))],
          ),
        );
      },
    }),
  });
  await scene.read();
  await scene.price();
  await scene.priceDays();
  const { points, incompleteDays } = await scene.history('all');
  // The prices of its first and last midnight exist.
  const expected = Array.from({ length: 9 }, (_day, index) => utcDay(fromMs + index * dayMs));
  expect(incompleteDays).toEqual(expected);
  expect(points.filter(({ at }) => expected.includes(at.slice(0, 10)))).toEqual([]);
  expect(Math.min(...points.map(({ totalUsdValue }) => totalUsdValue))).toBeGreaterThan(10_000);
  expect((await scene.history('30')).incompleteDays).toEqual([]);
  await scene.end();
});

test('a coin that died is not counted since its last price, as it is not today: nobody makes days unknown by sending it', async () => {
  const diedMs = midnightMs - 60 * dayMs;
  const scene = await startDaysScene({
    countedNow: () => [suiType],
    priceNow: () => 10n ** 12n,
    pastPrices: ({ readPastPrices }) => ({
      readPastPrices: async (...of) => {
        const isKnown = (coinType: string, at: Date): boolean => coinType === suiType || at.getTime() < diedMs;
        const found = [...(await readPastPrices(...of))];
        return new Map(
          found.map(([coinType, quotes]) => [coinType, quotes.filter(({ asOf }) => isKnown(coinType, asOf))]),
        );
      },
    }),
  });
  scene.sandbox.world.receive({ coinType: usdc, amount: 1n, from: `0x${'f'.repeat(64)}` });
  await scene.read();
  await scene.price();
  await scene.priceDays();
  await scene.keepReading(new Date(), { total: 50_000_000_000n, token: 40_000_000_000n });
  const { points, incompleteDays } = await scene.history('all');
  expect(incompleteDays).toEqual([]);
  expect(points.filter(({ heldInSui }) => heldInSui === null)).toEqual([]);
  await scene.end();
});

test('the days are deleted with the ledger of another chain', async () => {
  const scene = await startDaysScene();
  await scene.read();
  await scene.priceDays();
  await scene.database.rows("update ledger_readings set chain_id = 'another', covered_at = now() - interval '1 day'");
  await scene.readOnce();
  expect(await scene.database.rows('select 1 from ledger_day_prices')).toEqual([]);
  await scene.end();
});
