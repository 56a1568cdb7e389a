import { type HistoryReach, historyReach, historyText } from '../../shared/history-reach.ts';
import { isUsableType } from '../../shared/sui-address.ts';
import { staleFromMs } from '../core/figure-state.ts';
import { aboutCheckpoints, type LedgerProof, proveSums } from '../core/ledger-proof.ts';
import type { LedgerAnswer, LedgerCoinSum } from '../ledger-contract.ts';
import type { KnownMetadata } from '../coin-metadata.ts';
import type { LedgerParts } from './ledger-parts.ts';
import type { LedgerSpan } from './ledger-queries.ts';
import { type CoinSum, type LedgerProgress, nothingRead } from './ledger-store.ts';

type Figures = Omit<LedgerAnswer, 'total' | 'page' | 'pageSize' | 'entries'>;

/** Symbol and decimals of a coin; null: no metadata. */
export interface CoinFormat {
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export type LedgerSummary = ReturnType<typeof createLedgerSummary>;

interface Loaded {
  readonly progress: LedgerProgress;
  readonly sums: readonly CoinSum[];
  readonly coins: ReadonlyMap<string, KnownMetadata>;
  readonly apart: number;
  readonly span: LedgerSpan;
  /** null: known from the chain's beginning. */
  readonly knownSince: Date | null;
  /** The last movement before a gap; null: there is none. */
  readonly knownUntil: Date | null;
}

const nothing: Loaded = {
  progress: nothingRead,
  sums: [],
  coins: new Map(),
  apart: 0,
  span: null,
  knownSince: null,
  knownUntil: null,
};

/** The figures above the entries, as last loaded from the database. */
export function createLedgerSummary(
  parts: Pick<LedgerParts, 'store' | 'queries' | 'metadata' | 'treasury' | 'settings' | 'clock'>,
) {
  const { store, queries, metadata, settings, clock } = parts;
  let loaded = nothing;
  let proof: LedgerProof | null = null;
  const formatOf = (coinType: string): CoinFormat => {
    const known = loaded.coins.get(coinType)?.metadata;
    return { symbol: known?.symbol ?? null, decimals: known?.decimals ?? null };
  };
  const reach = (): HistoryReach => reachOf(loaded.progress, loaded.span, clock.now());
  return {
    /** Reads the database again. */
    load: async (): Promise<void> => {
      const [progress, sums, apart, span] = await Promise.all([
        store.progress(),
        store.sums(),
        queries.count({ isApart: true }),
        queries.span(),
      ]);
      const coins = await metadata.load(sums.filter(({ isKnown }) => isKnown).map(({ coinType }) => coinType));
      // While no new comparison is possible, the last one stays.
      const newProof = await proveNow(parts, progress, sums);
      if (newProof !== null || !progress.isComplete) proof = newProof;
      const since = progress.knownSinceCheckpoint;
      const knownSince = since === null ? null : ((await queries.firstFrom(since)) ?? progress.coveredAt);
      const knownUntil = since === null ? null : await queries.lastBefore(since);
      loaded = { progress, sums, coins, apart, span, knownSince, knownUntil };
    },
    figures: (): Figures => {
      const { progress, apart, knownSince, knownUntil } = loaded;
      const { coveredAt: asOf, coveredCheckpoint: checkpoint, isComplete } = progress;
      const isFromBeginning = progress.knownSinceCheckpoint === null;
      return {
        asOf: asOf?.toISOString() ?? null,
        state: stateOf(asOf, clock.now(), settings.refreshMs),
        checkpoint: checkpoint?.toString() ?? null,
        complete: isComplete && isFromBeginning && !progress.hasLeftOutKiosks,
        progressText: isComplete ? null : historyText(reach()),
        knownUntil: knownUntil?.toISOString() ?? null,
        knownSince: knownSince?.toISOString() ?? null,
        proofCheckpoint: proof?.checkpoint.toString() ?? null,
        apart,
        coins: coinsOf(loaded.sums, proof, formatOf),
      };
    },
    reach,
    /** The chain time up to which everything has been read; null: not yet. */
    coveredAt: () => loaded.progress.coveredAt,
    formatOf,
  };
}

/** Compares the ledger with the balances read last. null: the ledger was not read as far as they were, or one of the two is missing. */
export async function proveNow(
  { queries, treasury }: Pick<LedgerParts, 'queries' | 'treasury'>,
  { isComplete, coveredCheckpoint }: LedgerProgress,
  sums: readonly CoinSum[],
): Promise<LedgerProof | null> {
  const reading = treasury.reading();
  const checkpoint = reading?.checkpoint ?? null;
  if (!isComplete || reading === null || checkpoint === null) return null;
  if (coveredCheckpoint === null || coveredCheckpoint < checkpoint) return null;
  const changes = await queries.changesAfter(checkpoint - aboutCheckpoints);
  const balances = reading.balances.flatMap(({ coinType, rawBalance }) =>
    isUsableType(coinType) ? [[coinType, rawBalance] as const] : [],
  );
  return proveSums(sums, changes, new Map(balances), checkpoint);
}

/** A complete ledger is known up to the chain time that it was read to, however long ago that is. */
export const reachOf = ({ isComplete, coveredAt }: LedgerProgress, span: LedgerSpan, now: Date): HistoryReach => ({
  ...historyReach({ historyAt: span?.last ?? null, isHistoryComplete: isComplete }, span?.first ?? null, now),
  ...(isComplete && { until: coveredAt }),
});

function stateOf(asOf: Date | null, now: Date, refreshMs: number): Figures['state'] {
  if (asOf === null) return 'unavailable';
  return now.getTime() > staleFromMs(asOf, refreshMs) ? 'stale' : 'live';
}

/** Unknown coins, which anyone can send, only if they have a difference: differences are never hidden. */
function coinsOf(
  sums: readonly CoinSum[],
  proof: LedgerProof | null,
  formatOf: (coinType: string) => CoinFormat,
): readonly LedgerCoinSum[] {
  const known = new Set(sums.flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : [])));
  const notCompared = sums.map((sum) => ({
    ...sum,
    closingRaw: sum.openingRaw + sum.inRaw - sum.outRaw,
    chainRaw: null,
    unexplainedRaw: null,
  }));
  return (proof?.coins ?? notCompared)
    .filter(({ coinType, unexplainedRaw }) => known.has(coinType) || (unexplainedRaw ?? 0n) !== 0n)
    .map(({ coinType, ...amounts }) => ({
      coinType,
      ...formatOf(coinType),
      openingRaw: String(amounts.openingRaw),
      inRaw: String(amounts.inRaw),
      outRaw: String(amounts.outRaw),
      closingRaw: String(amounts.closingRaw),
      chainRaw: amounts.chainRaw?.toString() ?? null,
      unexplainedRaw: amounts.unexplainedRaw?.toString() ?? null,
    }));
}
