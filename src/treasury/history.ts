import { microUsdDecimals, toNumber } from '../shared/money.ts';
import type { TreasuryHistoryPoint } from './contract.ts';
import type { Clock, HistoryPoint, TreasuryStore } from './ports.ts';

export interface TreasuryHistory {
  /** The points of the last `days` (1 to 90), oldest first. Throws what the database throws when none were read yet. */
  points(days: number): Promise<TreasuryHistoryPoint[]>;
  /** A point may have changed: ask the database again next time. */
  forget(): void;
}

const daysMax = 90;
const dayMs = 86_400_000;

const numberOrNull = (amount: bigint | null): number | null =>
  amount === null ? null : toNumber(amount, microUsdDecimals);

const toWire = (point: HistoryPoint): TreasuryHistoryPoint => ({
  at: point.at.toISOString(),
  totalUsdValue: toNumber(point.totalMicroUsd, microUsdDecimals),
  nftTotalValueUsd: numberOrNull(point.nftMicroUsd),
  tokenTotalUsd: numberOrNull(point.tokenMicroUsd),
});

/** At most 90 days of hourly points in memory, read once for each new snapshot however many visitors ask. */
export function createTreasuryHistory(store: TreasuryStore, clock: Clock): TreasuryHistory {
  let fresh: Promise<TreasuryHistoryPoint[]> | null = null;
  let lastGood: TreasuryHistoryPoint[] | null = null;

  const load = async (): Promise<TreasuryHistoryPoint[]> => {
    const since = new Date(clock.now().getTime() - daysMax * dayMs);
    lastGood = (await store.readHistory(since)).map(toWire);
    return lastGood;
  };

  const all = async (): Promise<TreasuryHistoryPoint[]> => {
    fresh ??= load();
    try {
      return await fresh;
    } catch (error) {
      fresh = null;
      if (lastGood === null) throw error;
      return lastGood;
    }
  };

  return {
    points: async (days) => {
      const since = new Date(clock.now().getTime() - days * dayMs).toISOString();
      return (await all()).filter((point) => point.at >= since);
    },
    forget: () => {
      fresh = null;
    },
  };
}
