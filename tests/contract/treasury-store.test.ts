import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { typedKysely } from '../../src/db/connect.ts';
import { createCoinMetadataStore, type KnownMetadata } from '../../src/treasury/coin-metadata.ts';
import { createTreasuryStore, type TreasuryStore } from '../../src/treasury/treasury-store.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let store: TreasuryStore;
const at = (time: string): Date => new Date(`2026-11-20T${time}Z`);
const totals = (totalMicroUsd: bigint) => ({ totalMicroUsd, tokenMicroUsd: 1n, nftMicroUsd: null });
const storeOf = (treasuryAddress: string, network = 'mainnet'): TreasuryStore =>
  createTreasuryStore(typedKysely(database.pool), { network, treasuryAddress });

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('truncate treasury_last_good, treasury_history, coin_metadata');
  store = storeOf('0x7');
});

describe('the last good reading', () => {
  test('is undefined before the first save', async () => {
    expect(await store.loadReading(null)).toBeUndefined();
  });

  test('is loaded as it was saved, with a growing version', async () => {
    const reading = { balances: ['1'.repeat(90)], name: '🪨 "quoted" \\ <b>' };
    const first = await store.saveReading(reading, at('12:00:00'), null);
    expect(await store.loadReading(null)).toEqual({ reading, version: first });
    const second = await store.saveReading({}, at('12:01:00'), null);
    expect(Number(second)).toBeGreaterThan(Number(first));
    expect(await store.loadReading(first)).toMatchObject({ version: second });
    expect(await store.loadReading(second)).toBeUndefined();
  });

  test('is never replaced by an older one, and neither is the hour', async () => {
    await store.saveReading({ is: 'newer' }, at('12:05:00'), totals(5n));
    expect(await store.saveReading({ is: 'older' }, at('12:04:00'), totals(4n))).toBeNull();
    expect(await store.loadReading(null)).toMatchObject({ reading: { is: 'newer' } });
    expect(await store.readHistory()).toMatchObject([{ totalMicroUsd: 5n }]);
  });

  test('from a clock that was ahead is replaced by the next reading, and its hour is hidden until it comes', async () => {
    const now = new Date();
    const ahead = new Date(now.getTime() + 365 * 86_400_000);
    await store.saveReading({ is: 'ahead' }, ahead, totals(9n));
    expect(await store.saveReading({ is: 'right' }, now, totals(5n))).not.toBeNull();
    expect(await store.loadReading(null)).toMatchObject({ reading: { is: 'right' } });
    expect(await store.readHistory()).toMatchObject([{ totalMicroUsd: 5n }]);
  });

  test('belongs to one treasury on one network', async () => {
    await store.saveReading({}, at('12:00:00'), totals(1n));
    for (const other of [storeOf('0x8'), storeOf('0x7', 'testnet')]) {
      expect(await other.loadReading(null)).toBeUndefined();
      expect(await other.readHistory()).toEqual([]);
    }
  });
});

describe('rulings R3: value over time', () => {
  test('has one point per hour, the last good value of that hour, oldest first, exact at any size', async () => {
    await store.saveReading({}, at('12:00:00'), totals(1n));
    await store.saveReading({}, at('12:59:59'), totals(10n ** 40n));
    await store.saveReading({}, at('13:00:00'), totals(3n));
    expect(await store.readHistory()).toEqual([
      { at: at('12:59:59'), totalMicroUsd: 10n ** 40n, tokenMicroUsd: 1n, nftMicroUsd: null },
      { at: at('13:00:00'), totalMicroUsd: 3n, tokenMicroUsd: 1n, nftMicroUsd: null },
    ]);
  });

  test('has no point for an unknown total', async () => {
    await store.saveReading({}, at('12:00:00'), null);
    expect(await store.readHistory()).toEqual([]);
  });
});

describe('coin metadata', () => {
  const coinType = `0x${'a'.repeat(64)}::meme::MEME`;
  const known: KnownMetadata = {
    coinType,
    metadata: { coinType, decimals: 0, symbol: '', name: '🪨', iconUrl: null },
    readAt: at('12:00:00'),
  };

  test('is stored whether found or not, and a later reading replaces an earlier one', async () => {
    const mainnet = createCoinMetadataStore(typedKysely(database.pool), 'mainnet');
    const missing: KnownMetadata = { coinType: `${coinType}2`, metadata: null, readAt: at('12:00:00') };
    await mainnet.saveMetadata([known, missing]);
    expect([...(await mainnet.loadMetadata([coinType, `${coinType}2`, 'unknown'])).values()]).toEqual([known, missing]);
    const later = { ...missing, metadata: { ...known.metadata!, coinType: missing.coinType }, readAt: at('13:00:00') };
    await mainnet.saveMetadata([later]);
    expect((await mainnet.loadMetadata([missing.coinType])).get(missing.coinType)).toEqual(later);
    expect((await mainnet.loadMetadata([])).size).toBe(0);
  });

  test('that vanishes from the chain stays as it was: its creator can wrap it, but amounts and past values keep their meaning', async () => {
    const mainnet = createCoinMetadataStore(typedKysely(database.pool), 'mainnet');
    await mainnet.saveMetadata([known]);
    await mainnet.saveMetadata([{ coinType, metadata: null, readAt: at('14:00:00') }]);
    expect((await mainnet.loadMetadata([coinType])).get(coinType)).toEqual({ ...known, readAt: at('14:00:00') });
  });

  test.each([25, 200])('counts as none with %i decimals, which no amount can be calculated with', async (decimals) => {
    const mainnet = createCoinMetadataStore(typedKysely(database.pool), 'mainnet');
    await mainnet.saveMetadata([{ ...known, metadata: { ...known.metadata!, decimals } }]);
    expect((await mainnet.loadMetadata([coinType])).get(coinType)).toEqual({ ...known, metadata: null });
  });
});
