import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toNumber } from '../../src/shared/money.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { createPastPrices } from '../../src/sources/prices/llama-prices.ts';
import { createLedgerPast } from '../../src/treasury/ledger/ledger-past.ts';
import { type DaysScene, startDaysScene } from '../support/days-scene.ts';
import type { LedgerScene } from '../support/ledger-scene.ts';

/** Rulings R8: value over time reaches back to the wallet's first transaction. */

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const midnightMs = Math.floor(Date.now() / dayMs) * dayMs;
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The treasury's balances of these coins at a moment, from the sandbox's own transactions. */
function balancesAt({ sandbox }: LedgerScene, atMs: number, coinTypes: ReadonlySet<string>): Map<string, bigint> {
  const { transactions, treasuryAddress } = sandbox.world.state;
  const held = new Map<string, bigint>();
  for (const { timestampMs, balanceChanges } of transactions) {
    if (timestampMs >= atMs) continue;
    for (const { address, coinType, amount } of balanceChanges) {
      if (address === treasuryAddress && coinTypes.has(coinType))
        held.set(coinType, (held.get(coinType) ?? 0n) + amount);
    }
  }
  return held;
}

/** Prices at a midnight, from the source's history. */
async function pricesAt(scene: LedgerScene, coinTypes: readonly string[], atMs: number): Promise<Map<string, bigint>> {
  const source = createPastPrices({ baseUrl: scene.sandbox.urls.prices, limits: { retries: 0 } });
  const at = new Date(atMs);
  const found = await source.readPastPrices(coinTypes, { from: at, to: at, every: 'day' });
  return new Map([...found].flatMap(([coinType, [quote]]) => (quote ? [[coinType, quote.pricePicoUsd] as const] : [])));
}

describe('a treasury with fourteen months of history and no reading yet', () => {
  let scene: DaysScene;
  beforeAll(async () => {
    scene = await startDaysScene();
    await scene.read();
    await scene.price();
    await scene.priceDays();
  });
  afterAll(() => scene.end());

  test('has a value for every day from the first transaction on, each marked as estimated', async () => {
    const { points, incompleteDays } = await scene.history('all');
    const firstMs = scene.sandbox.world.state.transactions.find(({ balanceChanges }) =>
      balanceChanges.some(({ address }) => address === scene.sandbox.facts.treasuryAddress),
    )?.timestampMs;
    const days = points.map(({ at }) => Math.floor(Date.parse(at) / dayMs));
    expect(points[0]?.at.slice(0, 10)).toBe(utcDay(firstMs ?? 0));
    expect(days).toEqual(days.map((_day, index) => (days[0] ?? 0) + index));
    expect(midnightMs / dayMs - (days.at(-1) ?? 0)).toBeLessThanOrEqual(2);
    expect(points.every(({ estimated, nftTotalValueUsd }) => estimated && nftTotalValueUsd === null)).toBe(true);
    expect(incompleteDays).toEqual([]);
  });

  test('each value is that of the balances at the end of that day, at the prices of that midnight', async () => {
    const { points } = await scene.history('all');
    const { coins } = await scene.page();
    const decimalsOf = new Map(coins.map(({ coinType, decimals }) => [coinType, decimals ?? 0]));
    for (const point of [points[0], points[30], points[200], points.at(-1)]) {
      const endMs = Date.parse(point?.at ?? '') + 1;
      const held = balancesAt(scene, endMs, new Set(decimalsOf.keys()));
      const prices = await pricesAt(scene, [...held.keys()], endMs);
      const usd = [...held].reduce((sum, [coinType, raw]) => {
        const price = toNumber(prices.get(coinType) ?? 0n, 12);
        return sum + toNumber(raw, decimalsOf.get(coinType) ?? 0) * price;
      }, 0);
      expect(point?.totalUsdValue).toBeCloseTo(usd, 4);
    }
  });

  test('shorter spans have their part of these days, even without readings', async () => {
    const all = (await scene.history('all')).points;
    expect((await scene.history('30')).points).toEqual(
      all.filter(({ at }) => Date.parse(at) >= Date.now() - 30 * dayMs),
    );
  });

  test('the same money held in SUI begins with what came on the first day', async () => {
    const [first] = (await scene.history('all')).points;
    const [entry] = (await scene.entries()).toReversed();
    expect(entry?.kind).toBe('transfer-in');
    expect(first?.heldInSui).toBeGreaterThan((entry?.usdAtTime ?? Infinity) * 0.9);
    const missing = (await scene.history('all')).points.filter(({ heldInSui }) => heldInSui === null);
    expect(missing).toEqual([]);
  });

  test('unsolicited coins are never priced, on any day', async () => {
    const { coins } = await scene.page();
    const priced = await scene.database.rows<{ type: string }>(
      'select distinct coin_type as type from ledger_day_prices',
    );
    const known = new Set(coins.map(({ coinType }) => coinType));
    expect(priced.filter(({ type }) => !known.has(type))).toEqual([]);
  });

  test("a span comes with the team's notes, at the time of their movements; a deleted note is gone", async () => {
    const [newest] = await scene.entries();
    const old = (await scene.entries()).find(({ at }) => Date.parse(at) < Date.now() - 40 * dayMs);
    const path = '/api/admin/treasury/notes/{digest}';
    for (const [entry, text] of [
      [newest, 'Rent of the cave'],
      [old, 'Paint'],
    ] as const) {
      const params = { digest: entry?.digest ?? '' };
      await scene.asAdmin('PUT', path, { params, body: { text, link: null } });
    }
    expect((await scene.history('all')).notes).toEqual([
      { at: old?.at, digest: old?.digest, text: 'Paint' },
      { at: newest?.at, digest: newest?.digest, text: 'Rent of the cave' },
    ]);
    expect((await scene.history('30')).notes.map(({ text }) => text)).toEqual(['Rent of the cave']);
    await scene.asAdmin('DELETE', path, { params: { digest: old?.digest ?? '' } });
    expect((await scene.history('all')).notes.map(({ text }) => text)).toEqual(['Rent of the cave']);
  });

  test('a reading of a day wins over the estimate of that day', async () => {
    const at = new Date(midnightMs - 3 * dayMs + 10 * hourMs);
    await scene.keepReading(at, { total: 50_000_000_000n, token: 40_000_000_000n });
    for (const span of ['7', 'all'] as const) {
      const { points } = await scene.history(span);
      expect(points.filter((point) => point.at.startsWith(utcDay(at.getTime())))).toEqual([
        expect.objectContaining({ at: at.toISOString(), totalUsdValue: 50_000, estimated: false }),
      ]);
    }
  });

  test('moved in or out + price = change, and all cover coins only if the earlier value does', async () => {
    await scene.keepReading(new Date(), { total: 60_000_000_000n, token: 41_000_000_000n });
    const { changes, days, coinsOnly } = await scene.trend();
    expect(changes.map(({ hours }) => hours)).toEqual([24, 168, 720]);
    const { points } = await scene.history('all');
    for (const { from, usd, movedUsd, priceUsd, ...change } of changes) {
      expect(change.coinsOnly).toBe(true);
      const before = points.find(({ at }) => at === from)?.tokenTotalUsd ?? Number.NaN;
      expect(usd).toBeCloseTo(41_000 - before, 4);
      expect((movedUsd ?? Number.NaN) + (priceUsd ?? Number.NaN)).toBeCloseTo(usd ?? Number.NaN, 4);
    }
    const since = Date.parse(changes[2]?.from ?? '');
    const sent = (await scene.entries({ kind: 'transfer-out' })).filter(({ at }) => Date.parse(at) > since);
    const came = (await scene.entries({ kind: 'mint-income' })).filter(({ at }) => Date.parse(at) > since);
    const worth = (entries: typeof sent): number => entries.reduce((sum, { usdAtTime }) => sum + (usdAtTime ?? 0), 0);
    expect(changes[2]?.movedUsd).toBeCloseTo(worth(came) - worth(sent), 1);
    expect(days).toHaveLength(30);
    expect(coinsOnly).toBe(true);
    expect(days.at(-1)).toEqual({ day: utcDay(Date.now()), usd: 41_000, estimated: false });
  });

  test('the days are kept until something that they are calculated from changes, if only the metadata of a coin', async () => {
    const { network, treasuryAddress } = scene.sandbox.facts;
    const past = createLedgerPast({
      treasuryKey: { network, treasuryAddress },
      database: typedKysely(scene.database.pool),
      isValued: () => true,
      countedNow: () => [],
      clock: { now: () => new Date() },
    });
    const daysNow = async () => (await past.load()).days;
    const days = await daysNow();
    expect(await daysNow()).toBe(days);
    await scene.database.rows('create table kept_metadata as select * from coin_metadata');
    await scene.database.rows('delete from coin_metadata');
    expect((await daysNow()).at(-1)?.microUsd).toBeNull();
    await scene.database.rows('insert into coin_metadata select * from kept_metadata');
    expect(await daysNow()).toEqual(days);
  });

  test('a ledger that was not read as far as the last reading makes the split unknown, not the change', async () => {
    await scene.database.rows("update ledger_readings set covered_at = covered_at - interval '10 minutes'");
    const [day] = (await scene.trend()).changes;
    expect(day).toMatchObject({ movedUsd: null, priceUsd: null });
    expect(day?.usd).not.toBeNull();
  });
});

test('worthless NFTs that a stranger sends beside a coin leave the split known; those of a collection that counts do not', async () => {
  const counted = new Set<string>();
  const scene = await startDaysScene({ isValued: (collectionType) => counted.has(collectionType) });
  await scene.read();
  await scene.price();
  await scene.keepReading(new Date(Date.now() - dayMs), { total: 50_000_000_000n, token: 40_000_000_000n });
  const [transaction] = scene.sandbox.world.spam({ what: 'nfts', count: 1 });
  const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
  const address = scene.sandbox.facts.treasuryAddress;
  transaction?.balanceChanges.push({ address, coinType: suiType, amount: 1n });
  await scene.read();
  await scene.price();
  await scene.keepReading(new Date(), { total: 60_000_000_000n, token: 50_000_000_000n });
  const dayChange = async () => (await scene.trend()).changes[0];
  expect(await dayChange()).toMatchObject({ coinsOnly: false, usd: 10_000, movedUsd: expect.any(Number) as number });
  const [entry] = await scene.entries({ kind: 'transfer-in' });
  expect(entry?.nfts).toHaveLength(1);
  for (const { collectionType } of entry?.nfts ?? []) counted.add(collectionType);
  expect(await dayChange()).toMatchObject({ usd: 10_000, movedUsd: null, priceUsd: null });
  await scene.end();
});

test('a coin priced only by a source without past prices is counted today; its days are gaps and its movements of unknown value', async () => {
  const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
  let counted: readonly string[] = [];
  const scene = await startDaysScene({ countedNow: () => counted });
  const { world } = scene.sandbox;
  await scene.keepReading(new Date(Date.now() - dayMs), { total: 50_000_000_000n, token: 40_000_000_000n });
  world.receive({ coinType: usdc, amount: 5_000_000_000n, from: `0x${'f'.repeat(64)}` });
  await scene.read();
  await scene.price();
  await scene.priceDays();
  await scene.keepReading(new Date(), { total: 55_000_000_000n, token: 45_000_000_000n });
  for (const table of ['ledger_changes', 'ledger_day_prices']) {
    await scene.database.rows(`update ${table} set price_pico_usd = null where coin_type = '${usdc}'`);
  }
  expect((await scene.trend()).changes[0]).toMatchObject({ usd: 5_000, movedUsd: 0 });
  const { points } = await scene.history('all');
  counted = [usdc];
  expect((await scene.trend()).changes[0]).toMatchObject({ usd: 5_000, movedUsd: null, priceUsd: null });
  const later = await scene.history('all');
  expect(later.points.length).toBeLessThan(points.length);
  expect(later.points.length + later.incompleteDays.length).toBe(points.length);
  await scene.end();
});
