import { type ReadyAnswer, type LazyAnswer, createLazyAnswer, makeReadyJsonAside } from '../http/ready/ready-answer.ts';
import { microUsdDecimals, toNumber } from '../shared/money.ts';
import { type HistorySpan, historySpans, type TreasuryHistoryAnswer, type TreasuryHistoryPoint } from './contract.ts';
import type { Clock } from '../shared/clock.ts';
import type { HistoryPoint, TreasuryStore } from './treasury-store.ts';

/** GET /api/treasury/history, one ready answer for each span. */
export interface TreasuryHistory {
  /** undefined: it is not made yet. */
  ready(days: HistorySpan): ReadyAnswer | undefined;
  /** Throws what the database throws when no points were read yet. */
  body(days: HistorySpan): Promise<ReadyAnswer>;
  /** A point may have changed: ask the database again next time. */
  forget(): void;
}

const dayMs = 86_400_000;
const longestSpanDays = 90;
/** While nothing new is read a span still moves on: points are hourly, so an hour is as exact as they are. */
const keptMs = 3_600_000;

const numberOrNull = (amount: bigint | null): number | null =>
  amount === null ? null : toNumber(amount, microUsdDecimals);

const toWire = (point: HistoryPoint): TreasuryHistoryPoint => ({
  at: point.at.toISOString(),
  totalUsdValue: toNumber(point.totalMicroUsd, microUsdDecimals),
  nftTotalValueUsd: numberOrNull(point.nftMicroUsd),
  tokenTotalUsd: numberOrNull(point.tokenMicroUsd),
});

/** Hourly points, read, written out and compressed once for each new snapshot however many visitors ask. */
export function createTreasuryHistory(store: TreasuryStore, clock: Clock): TreasuryHistory {
  let fresh: Promise<TreasuryHistoryPoint[]> | null = null;
  let lastGood: TreasuryHistoryPoint[] | null = null;
  let readAtMs = 0;

  const load = async (): Promise<TreasuryHistoryPoint[]> => {
    const since = new Date(clock.now().getTime() - longestSpanDays * dayMs);
    lastGood = (await store.readHistory(since)).map(toWire);
    return lastGood;
  };

  const all = async (): Promise<TreasuryHistoryPoint[]> => {
    if (fresh === null) readAtMs = clock.now().getTime();
    fresh ??= load();
    try {
      return await fresh;
    } catch (error) {
      fresh = null;
      if (lastGood === null) throw error;
      return lastGood;
    }
  };

  const make = async (days: HistorySpan): Promise<ReadyAnswer> => {
    const points = await all();
    const since = new Date(clock.now().getTime() - Number(days) * dayMs).toISOString();
    const answer: TreasuryHistoryAnswer = { data: { points: points.filter((point) => point.at >= since) } };
    return makeReadyJsonAside(answer);
  };

  const bodies = Object.fromEntries(historySpans.map((days) => [days, createLazyAnswer(() => make(days))])) as Readonly<
    Record<HistorySpan, LazyAnswer>
  >;

  const forget = (): void => {
    fresh = null;
    for (const days of historySpans) bodies[days].forget();
  };

  const forgetWhenOld = (): void => {
    if (clock.now().getTime() - readAtMs > keptMs) forget();
  };

  return {
    ready: (days) => {
      forgetWhenOld();
      return bodies[days].ready();
    },
    body: (days) => {
      forgetWhenOld();
      return bodies[days].whenReady();
    },
    forget,
  };
}
