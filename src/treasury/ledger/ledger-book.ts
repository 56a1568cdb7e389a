import { type HistoryReach, historyReach, historyText } from '../../shared/history-reach.ts';
import { isUsableType } from '../../shared/sui-address.ts';
import { aboutCheckpoints, type LedgerProof, proveSums } from '../core/ledger-proof.ts';
import type { LedgerAnswer, LedgerCoinSum } from '../ledger-contract.ts';
import type { KnownMetadata } from '../coin-metadata.ts';
import type { LedgerParts } from './ledger-parts.ts';
import type { LedgerSpan } from './ledger-queries.ts';
import { type CoinSum, type LedgerReading, nothingRead } from './ledger-store.ts';

type Heading = Omit<LedgerAnswer['data'], 'total' | 'page' | 'pageSize' | 'entries'>;

/** Symbol and decimals of a coin; null: no metadata. */
export interface CoinForm {
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export type LedgerBook = ReturnType<typeof createLedgerBook>;

interface Loaded {
  readonly reading: LedgerReading;
  readonly sums: readonly CoinSum[];
  readonly coins: ReadonlyMap<string, KnownMetadata>;
  readonly apart: number;
  readonly span: LedgerSpan;
  /** null: known from the chain's beginning, or nothing moved since. */
  readonly knownSince: Date | null;
}

const nothing: Loaded = { reading: nothingRead, sums: [], coins: new Map(), apart: 0, span: null, knownSince: null };

/** The figures above the entries, as last loaded from the database. */
export function createLedgerBook(
  parts: Pick<LedgerParts, 'store' | 'queries' | 'metadata' | 'treasury' | 'settings' | 'clock'>,
) {
  const { store, queries, metadata, settings, clock } = parts;
  let loaded = nothing;
  let proof: LedgerProof | null = null;
  const formOf = (coinType: string): CoinForm => {
    const known = loaded.coins.get(coinType)?.metadata;
    return { symbol: known?.symbol ?? null, decimals: known?.decimals ?? null };
  };
  const reach = (): HistoryReach => reachOf(loaded.reading, loaded.span, clock.now());
  return {
    /** Reads the database again. */
    load: async (): Promise<void> => {
      const [reading, sums, apart, span] = await Promise.all([
        store.reading(),
        store.sums(),
        queries.count({ isApart: true }),
        queries.span(),
      ]);
      const coins = await metadata.load(sums.filter(({ isKnown }) => isKnown).map(({ coinType }) => coinType));
      proof = reading.isComplete ? ((await proveNow(parts, reading, sums)) ?? proof) : null;
      const since = reading.knownSinceCheckpoint;
      loaded = {
        reading,
        sums,
        coins,
        apart,
        span,
        knownSince: since === null ? null : await queries.firstFrom(since),
      };
    },
    heading: (): Heading => {
      const { reading, apart, knownSince } = loaded;
      const { coveredAt: asOf, coveredCheckpoint: checkpoint, isComplete } = reading;
      const isFromBeginning = reading.knownSinceCheckpoint === null;
      return {
        asOf: asOf?.toISOString() ?? null,
        state: stateOf(asOf, clock.now(), settings.refreshMs),
        checkpoint: checkpoint?.toString() ?? null,
        complete: isComplete && isFromBeginning && !reading.hasLeftOutKiosks,
        progressText: isComplete ? null : historyText(reach()),
        knownSince: knownSince?.toISOString() ?? null,
        proofCheckpoint: proof?.checkpoint.toString() ?? null,
        apart,
        coins: coinsOf(loaded.sums, proof, formOf),
      };
    },
    reach,
    formOf,
  };
}

/** Compares the ledger with the balances read last. null: the ledger was not read as far as they were, or one of the two is missing. */
export async function proveNow(
  { queries, treasury }: Pick<LedgerParts, 'queries' | 'treasury'>,
  { isComplete, coveredCheckpoint }: LedgerReading,
  sums: readonly CoinSum[],
): Promise<LedgerProof | null> {
  const held = treasury.reading();
  const checkpoint = held?.checkpoint ?? null;
  if (!isComplete || held === null || checkpoint === null) return null;
  if (coveredCheckpoint === null || coveredCheckpoint < checkpoint) return null;
  const changes = await queries.changesAfter(checkpoint - aboutCheckpoints);
  const balances = held.balances.flatMap(({ coinType, rawBalance }) =>
    isUsableType(coinType) ? [[coinType, rawBalance] as const] : [],
  );
  return proveSums(sums, changes, new Map(balances), checkpoint);
}

/** A complete ledger is known up to the chain time that it was read to, however long ago that is. */
export const reachOf = ({ isComplete, coveredAt }: LedgerReading, span: LedgerSpan, now: Date): HistoryReach => ({
  ...historyReach({ historyAt: span?.last ?? null, isHistoryComplete: isComplete }, span?.first ?? null, now),
  ...(isComplete && { until: coveredAt }),
});

/** Rulings R3: stale when older than twice its refresh. */
function stateOf(asOf: Date | null, now: Date, refreshMs: number): Heading['state'] {
  if (asOf === null) return 'unavailable';
  return now.getTime() > asOf.getTime() + 2 * refreshMs ? 'stale' : 'live';
}

/** Unknown coins, which anyone can send, only if they have a difference: differences are never hidden. */
function coinsOf(
  sums: readonly CoinSum[],
  proof: LedgerProof | null,
  formOf: (coinType: string) => CoinForm,
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
      ...formOf(coinType),
      openingRaw: String(amounts.openingRaw),
      inRaw: String(amounts.inRaw),
      outRaw: String(amounts.outRaw),
      closingRaw: String(amounts.closingRaw),
      chainRaw: amounts.chainRaw?.toString() ?? null,
      unexplainedRaw: amounts.unexplainedRaw?.toString() ?? null,
    }));
}
