import { type LazyAnswer, createLazyAnswer, makeReadyJsonAsync } from '../http/ready/ready-answer.ts';
import { createOutageLog } from '../db/outage.ts';
import type { Log } from '../process/logger.ts';
import type { Clock } from '../shared/clock.ts';
import { microUsdDecimals, toNumber } from '../shared/money.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import {
  type HistorySpan,
  historySpans,
  type TreasuryHistoryAnswer,
  type TreasuryHistoryPoint,
  type TreasurySnapshot,
  type TreasuryTrendAnswer,
} from './contract.ts';
import { dayMs, dayOf, endOf, heldInSuiByDay } from './core/ledger-days.ts';
import { changeOver, type KnownValue, knownValues, lastOfEachDay } from './core/trend.ts';
import type { LedgerPast } from './ledger/ledger-past.ts';
import type { TreasuryStore } from './treasury-store.ts';

interface HistoryDeps {
  readonly store: Pick<TreasuryStore, 'readHistory'>;
  readonly past: { load(): Promise<LedgerPast> };
  readonly priceNow: (coinType: string) => bigint | null;
  /** The snapshot shown now; null before the first reading. */
  readonly snapshot: () => TreasurySnapshot | null;
  readonly refreshMs: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Every known value, oldest first. */
interface KnownPast {
  readonly values: readonly KnownValue[];
  readonly byDay: ReadonlyMap<number, KnownValue>;
  readonly heldInSui: ReadonlyMap<number, bigint | null>;
  readonly past: LedgerPast;
  /** From an earlier database read; the newest one failed. */
  readonly isOutdated: boolean;
}

/** Throws what the database throws. */
async function readKnownPast({ store, past: ledger, priceNow, clock }: HistoryDeps): Promise<KnownPast> {
  const [readings, past] = await Promise.all([store.readHistory(), ledger.load()]);
  const values = knownValues(readings, past.days);
  const today = dayOf(clock.now());
  const suiPriceOf = (day: number): bigint | null =>
    past.suiPrices.get(day) ?? (day === today ? priceNow(suiCoinType) : null);
  const heldInSui = heldInSuiByDay(past.outsideMoney ?? new Map(), today, suiPriceOf);
  return { values, byDay: lastOfEachDay(values), heldInSui, past, isOutdated: false };
}

const usdOf = (amount: bigint | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toNumber(amount, microUsdDecimals);

const utcDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

function historyAnswer(
  { values, byDay, heldInSui, past }: KnownPast,
  span: HistorySpan,
  now: Date,
): TreasuryHistoryAnswer {
  const since = span === 'all' ? new Date(0) : new Date(now.getTime() - Number(span) * dayMs);
  const toWire = (value: KnownValue): TreasuryHistoryPoint => {
    const day = dayOf(value.at);
    return {
      at: value.at.toISOString(),
      totalUsdValue: toNumber(value.totalMicroUsd, microUsdDecimals),
      nftTotalValueUsd: usdOf(value.nftMicroUsd),
      tokenTotalUsd: usdOf(value.tokenMicroUsd),
      estimated: value.nftMicroUsd === null,
      heldInSui: byDay.get(day) === value ? usdOf(heldInSui.get(day)) : null,
    };
  };
  const points = (span === 'all' ? [...byDay.values()] : values).filter(({ at }) => at >= since).map(toWire);
  const incompleteDays = past.days
    .filter(({ day, microUsd }) => microUsd === null && !byDay.has(day) && endOf(day) > since)
    .map(({ day }) => utcDay(day));
  const notes = past.notes
    .filter(({ at }) => at >= since)
    .map(({ at, digest, text }) => ({ at: at.toISOString(), digest, text }));
  return { points, incompleteDays, notes };
}

const changeHours = [24, 7 * 24, 30 * 24];
const trendDays = 30;

function trendAnswer(
  { values, byDay, past, isOutdated }: KnownPast,
  { snapshot: snapshotNow, refreshMs, clock }: HistoryDeps,
): TreasuryTrendAnswer {
  const snapshot = snapshotNow();
  const { asOf, state } = snapshot?.figures.totalUsdValue ?? { asOf: null, state: 'unavailable' as const };
  // Movements since the last read of the ledger would look like price changes.
  const isLedgerUpToDate = (past.readAt?.getTime() ?? 0) + 2 * refreshMs >= (values.at(-1)?.at.getTime() ?? 0);
  const today = dayOf(clock.now());
  const days = Array.from({ length: trendDays }, (_, index) => today - trendDays + 1 + index);
  const coinsOnly = days.some((day) => byDay.get(day)?.nftMicroUsd === null);
  return {
    asOf,
    state: isOutdated && state === 'live' ? 'stale' : state,
    totalUsdValue: snapshot?.totalUsdValue ?? null,
    changes: changeHours.map((hours) => {
      const change = changeOver(hours, values, isLedgerUpToDate ? past.recent : null);
      return {
        hours,
        from: change.from?.toISOString() ?? null,
        usd: usdOf(change.changeMicroUsd),
        percent: change.percent,
        movedUsd: usdOf(change.movedMicroUsd),
        priceUsd: usdOf(change.restMicroUsd),
        coinsOnly: change.isCoinsOnly,
      };
    }),
    coinsOnly,
    days: days.map((day) => {
      const value = byDay.get(day);
      return {
        day: utcDay(day),
        usd: usdOf(coinsOnly ? value?.tokenMicroUsd : value?.totalMicroUsd),
        estimated: value?.nftMicroUsd === null,
      };
    }),
  };
}

export type TreasuryHistory = ReturnType<typeof createTreasuryHistory>;

/**
 * GET /api/treasury/history, one ready answer for each span, and GET /api/treasury/trend: read, serialized and compressed once for each
 * new snapshot, however many visitors ask. While the database fails, the last answers stay and the trend is stale.
 */
export function createTreasuryHistory(deps: HistoryDeps) {
  const { clock } = deps;
  const outages = createOutageLog(deps.log, 'The history of the treasury could not be read');
  let loading: Promise<KnownPast> | null = null;
  let lastGood: KnownPast | null = null;
  const readOrUseLastGood = async (): Promise<KnownPast> => {
    try {
      lastGood = await readKnownPast(deps);
      outages.done();
      return lastGood;
    } catch (error) {
      if (lastGood === null) throw error;
      outages.failed(error);
      return { ...lastGood, isOutdated: true };
    }
  };
  const known = (): Promise<KnownPast> => {
    loading ??= readOrUseLastGood();
    loading.catch(() => (loading = null));
    return loading;
  };
  const bodies = Object.fromEntries(
    historySpans.map((days) => [
      days,
      createLazyAnswer(async () => makeReadyJsonAsync({ data: historyAnswer(await known(), days, clock.now()) })),
    ]),
  ) as Readonly<Record<HistorySpan, LazyAnswer>>;
  const trend = createLazyAnswer(async () => makeReadyJsonAsync({ data: trendAnswer(await known(), deps) }));
  const forget = (): void => {
    loading = null;
    for (const answer of [...Object.values(bodies), trend]) answer.forget();
  };
  return {
    bodies,
    trend,
    /** A point may have changed, or a span has moved on: ask the database again next time. */
    forget,
  };
}
