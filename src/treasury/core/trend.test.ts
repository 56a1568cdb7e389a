import { array, assert, bigInt, boolean, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerKinds } from './ledger-words.ts';
import type { CoinMove } from './ledger-days.ts';
import { changeOver, type KnownValue, knownValues, lastOfEachDay, type RecentMoves } from './trend.ts';

/** Rulings R8: change in 24 hours, 7 and 30 days, split into what moved in or out and the rest. */

const hourMs = 3_600_000;
const now = new Date('2026-11-26T12:00:00Z');
const ago = (hours: number): Date => new Date(now.getTime() - hours * hourMs);
const usdc = '0xa::usdc::USDC';

const read = (hours: number, total: bigint, token = total): KnownValue => ({
  at: ago(hours),
  totalMicroUsd: total,
  tokenMicroUsd: token,
  nftMicroUsd: total - token,
});
const estimated = (hours: number, token: bigint): KnownValue => ({ ...read(hours, token), nftMicroUsd: null });
const move = (hours: number, kind: CoinMove['kind'], raw: bigint, rest: Partial<CoinMove> = {}): CoinMove => ({
  at: ago(hours),
  kind,
  coinType: usdc,
  raw,
  gasRaw: 0n,
  pricePicoUsd: 10n ** 12n,
  ...rest,
});
const recent = (moves: readonly CoinMove[], rest: Partial<RecentMoves> = {}): RecentMoves => ({
  moves,
  decimalsOf: new Map([[usdc, 6]]),
  nftTransfersAt: [],
  ...rest,
});

describe('a change', () => {
  const values = [read(24, 100n), read(0, 130n)];

  it('is split into what came in minus what went out, at the prices of the time, and the rest', () => {
    const moves = [move(30, 'transfer-in', 1_000n), move(20, 'mint-income', 25n), move(2, 'payout', -5n)];
    expect(changeOver(24, values, recent(moves))).toEqual({
      from: ago(24),
      changeMicroUsd: 30n,
      percent: 30,
      movedMicroUsd: 20n,
      restMicroUsd: 10n,
      isCoinsOnly: false,
    });
  });

  it.each(['swap', 'fee', 'staking', 'nft-purchase', 'nft-sale'] as const)(
    'has a %s in the rest if NFTs are valued',
    (kind) => {
      expect(changeOver(24, values, recent([move(2, kind, -7n)])).movedMicroUsd).toBe(0n);
    },
  );

  it.each(['mint-income', 'transfer-in', 'transfer-out', 'payout', 'other'] as const)(
    'has a %s in what moved',
    (kind) => {
      expect(changeOver(24, values, recent([move(2, kind, -7n)])).movedMicroUsd).toBe(-7n);
    },
  );

  it('covers coins only if the earlier value does, and bought NFTs are then money that went out', () => {
    const mixed = [estimated(24, 100n), read(0, 500n, 90n)];
    expect(changeOver(24, mixed, recent([move(2, 'nft-purchase', -20n)]))).toMatchObject({
      changeMicroUsd: -10n,
      movedMicroUsd: -20n,
      restMicroUsd: 10n,
      isCoinsOnly: true,
    });
  });

  it('covers coins only if the earlier value is from before the marketplace ever answered: its first answer is not a rise', () => {
    const unanswered = { ...read(24, 1_200n), nftMicroUsd: null };
    expect(changeOver(24, [unanswered, read(0, 16_000n, 1_210n)], recent([]))).toMatchObject({
      changeMicroUsd: 10n,
      restMicroUsd: 10n,
      isCoinsOnly: true,
    });
  });

  it('is not split if a price is unknown, an NFT came or went, or the ledger has not been read that far', () => {
    const isSplit = (moves: RecentMoves | null): boolean => changeOver(24, values, moves).restMicroUsd !== null;
    expect(isSplit(recent([move(2, 'payout', -5n, { pricePicoUsd: null })]))).toBe(false);
    expect(isSplit(recent([move(26, 'payout', -5n, { pricePicoUsd: null })]))).toBe(true);
    expect(isSplit(recent([], { nftTransfersAt: [ago(2)] }))).toBe(false);
    expect(isSplit(recent([], { nftTransfersAt: [ago(26)] }))).toBe(true);
    expect(isSplit(null)).toBe(false);
    expect(changeOver(24, values, null).changeMicroUsd).toBe(30n);
  });

  it('begins with the value nearest to that many hours ago, within twelve hours', () => {
    expect(changeOver(24, [read(30, 1n), read(25, 2n), read(20, 3n), read(0, 4n)], null).from).toEqual(ago(25));
    expect(changeOver(24, [read(36, 1n), read(0, 4n)], null).from).toEqual(ago(36));
    expect(changeOver(24, [read(37, 1n), read(0, 4n)], null).from).toBeNull();
    expect(changeOver(24, [read(11, 1n), read(0, 4n)], null).changeMicroUsd).toBeNull();
    expect(changeOver(24, [], null).changeMicroUsd).toBeNull();
  });

  it('from zero has no percentage', () => {
    expect(changeOver(24, [read(24, 0n), read(0, 4n)], null)).toMatchObject({ changeMicroUsd: 4n, percent: null });
  });

  it('of any ledger: moved + rest = change, and moved is the sum of the single movements', () => {
    const anyMove = record({
      hours: integer({ min: 0, max: 60 }),
      kind: constantFrom(...ledgerKinds),
      raw: bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      price: option(bigInt({ min: 1n, max: 9n }), { freq: 30 }),
    });
    const anyAmount = bigInt({ min: 0n, max: 10n ** 15n });
    assert(
      property(array(anyMove, { maxLength: 20 }), anyAmount, anyAmount, boolean(), (drawn, before, after, isOld) => {
        const moves = drawn.map(({ hours, kind, raw, price }) =>
          move(hours, kind, raw, { pricePicoUsd: price === null ? null : price * 10n ** 12n }),
        );
        const first = isOld ? estimated(24, before) : read(24, before);
        const found = changeOver(24, [first, read(0, after)], recent(moves));
        const inside = ['swap', 'fee', 'staking', ...(isOld ? [] : ['nft-purchase', 'nft-sale'])];
        const counted = drawn.filter(({ hours, kind }) => hours < 24 && !inside.includes(kind));
        if (counted.some(({ raw, price }) => price === null && raw !== 0n)) {
          expect(found.movedMicroUsd).toBeNull();
          return;
        }
        const moved = counted.reduce((sum, { raw, price }) => sum + raw * (price ?? 0n), 0n);
        expect(found.movedMicroUsd).toBe(moved);
        expect(moved + (found.restMicroUsd ?? 0n)).toBe(after - before);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the known values', () => {
  const today = Math.floor(now.getTime() / (24 * hourMs));
  const reading = read(0, 9n);

  it('have the reading of a day rather than its value from the ledger', () => {
    const values = knownValues(
      [reading],
      [today - 1, today].map((day) => ({ day, microUsd: 5n })),
    );
    expect(values.map(({ totalMicroUsd, nftMicroUsd }) => [totalMicroUsd, nftMicroUsd])).toEqual([
      [5n, null],
      [9n, 0n],
    ]);
    expect(values[0]?.at.toISOString()).toBe('2026-11-25T23:59:59.999Z');
  });

  it('leave out a day of unknown value', () => {
    expect(knownValues([], [{ day: today - 1, microUsd: null }])).toEqual([]);
  });

  it('are represented by the last one of each day', () => {
    const values = [read(26, 1n), read(25, 2n), read(1, 3n), read(0, 4n)];
    expect([...lastOfEachDay(values).values()].map(({ totalMicroUsd }) => totalMicroUsd)).toEqual([2n, 4n]);
  });
});
