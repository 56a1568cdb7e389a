import { defineRoute, type Route } from '../../http/route.ts';
import { microUsdDecimals, percentOf, toNumber } from '../../shared/money.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import type { FigureState } from '../contract.ts';
import { figureOf, type Part, stateAt } from '../core/figure-state.ts';
import { isOfCollection } from '../core/nft-moves.ts';
import {
  type Lot,
  lotsOf,
  resultOf,
  type SweepPrices,
  type SweepSum,
  sweepSums,
  type Trade,
} from '../core/sweep-lots.ts';
import { priceState } from '../core/token-valuation.ts';
import {
  sweepPiecesAnswer,
  type SweepPiecesAnswer,
  sweepPiecesPageSize,
  sweepsAnswer,
  type SweepsAnswer,
} from '../ledger-contract.ts';
import { sweepPiecesQuery } from './ledger-requests.ts';
import type { LedgerSummary } from './ledger-summary.ts';
import type { LedgerParts } from './ledger-parts.ts';

type SweepsParts = Pick<LedgerParts, 'queries' | 'treasury' | 'settings' | 'clock'> & {
  readonly summary: LedgerSummary;
};

/** The result of sweeps. Lots are made on demand and cached until the ledger changes. */
export function createSweeps(parts: SweepsParts) {
  let cached: Promise<readonly Lot[]> | null = null;
  const lots = (): Promise<readonly Lot[]> => {
    cached ??= readTrades(parts.queries).then(lotsOf);
    cached.catch(() => (cached = null));
    return cached;
  };
  return {
    routes: [sweepsRoute(parts, lots), piecesRoute(parts, lots)] as readonly Route[],
    /** To be called when the ledger has changed. */
    forget: (): void => {
      cached = null;
    },
  };
}

type Reading = ReturnType<LedgerParts['treasury']['reading']>;
type Lots = () => Promise<readonly Lot[]>;

const sweepsRoute = (parts: SweepsParts, lots: Lots): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/treasury/sweeps',
    access: 'public',
    summary: 'What the treasury bought of each collection, the result, and the result of simply holding the same SUI',
    answer: sweepsAnswer,
    handle: async () => {
      const reading = parts.treasury.reading();
      const sums = sweepSums(await lots(), pricesOf(reading));
      const nameOf = (type: string) => reading?.market?.facts.get(type)?.name ?? null;
      const data = { ...provenanceOf(parts, reading, sums), winRate: winRateOf(sums) };
      return { data: { ...data, sweeps: sums.map((sum) => sweepOf(sum, nameOf)) } };
    },
  });

/** Covers the ledger, and the floors and the price at which what is still held is valued. Unknown ones are left out. */
function provenanceOf({ summary, settings, clock }: SweepsParts, reading: Reading, sums: readonly SweepSum[]) {
  const { asOf: readTo, state: ofLedger, complete } = summary.figures();
  if (readTo === null) return { asOf: readTo, state: ofLedger, complete };
  const { refreshMs } = settings;
  const now = clock.now();
  const partOf = (state: FigureState, asOf: Date): Part => ({ state, asOf, source: null });
  const held = sums.filter((sum) => sum.held > 0).map(({ collectionType }) => collectionType);
  const floors = held
    .flatMap((type) => reading?.market?.facts.get(type) ?? [])
    .filter((fact) => fact.floorMist !== null);
  const price = held.length === 0 ? undefined : reading?.prices.get(suiCoinType);
  const { asOf, state } = figureOf([
    partOf(ofLedger, new Date(readTo)),
    ...floors.map((fact) => partOf(stateAt({ asOf: fact.asOf, refreshMs }, now), fact.asOf)),
    ...(price === undefined ? [] : [partOf(priceState(price, refreshMs, now), price.readAt)]),
  ]);
  return { asOf, state, complete };
}

const piecesRoute = ({ treasury }: SweepsParts, lots: Lots): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/treasury/sweeps/pieces',
    access: 'public',
    summary: 'Each piece that the treasury bought of one collection, in pages of 50: cost, proceeds, result',
    query: sweepPiecesQuery,
    answer: sweepPiecesAnswer,
    handle: async ({ query: { collection, page } }) => {
      const prices = pricesOf(treasury.reading());
      const ofIt = (await lots()).filter(({ collectionType }) => collectionType === collection).toReversed();
      const from = (page - 1) * sweepPiecesPageSize;
      const pieces = ofIt.slice(from, from + sweepPiecesPageSize).map((lot) => pieceOf(lot, prices));
      return { data: { total: ofIt.length, page, pageSize: sweepPiecesPageSize, pieces } };
    },
  });

async function readTrades(queries: LedgerParts['queries']): Promise<readonly Trade[]> {
  const entries = await queries.withMoves(await queries.trades());
  return entries.map(({ row: { digest, happenedAt: at, kind, gasMist }, changes, nfts: moved }) => {
    const nfts = moved.filter(isOfCollection);
    const sui = changes.find(({ coinType }) => coinType === suiCoinType);
    return {
      digest,
      at,
      kind,
      mist: (sui?.raw ?? 0n) + BigInt(gasMist),
      hasOtherCoins: changes.some(({ coinType }) => coinType !== suiCoinType),
      suiPicoUsd: sui?.pricePicoUsd ?? null,
      came: nfts.filter(({ direction }) => direction === 'in'),
      left: nfts.filter(({ direction }) => direction === 'out'),
    };
  });
}

function pricesOf(reading: Reading): SweepPrices {
  const facts = [...(reading?.market?.facts ?? [])];
  return {
    suiPicoUsd: reading?.prices.get(suiCoinType)?.quote.pricePicoUsd ?? null,
    floorMist: new Map(facts.flatMap(([type, { floorMist }]) => (floorMist === null ? [] : [[type, floorMist]]))),
  };
}

function winRateOf(sums: readonly SweepSum[]): SweepsAnswer['winRate'] {
  const won = sums.reduce((count, sum) => count + sum.won, 0);
  const decided = sums.reduce((count, sum) => count + sum.decided, 0);
  return { won, decided, percent: percentOf(BigInt(won), BigInt(decided)) };
}

function sweepOf(sum: SweepSum, nameOf: (type: string) => string | null): SweepsAnswer['sweeps'][number] {
  const { won: _won, decided: _decided, resultMicroUsd, suiHeldMicroUsd, ...counts } = sum;
  return {
    ...counts,
    name: nameOf(sum.collectionType),
    costMist: digits(sum.costMist),
    proceedsMist: digits(sum.proceedsMist),
    heldAtFloorMist: digits(sum.heldAtFloorMist),
    resultMist: digits(sum.resultMist),
    resultUsd: usd(resultMicroUsd),
    suiHeldUsd: usd(suiHeldMicroUsd),
  };
}

function pieceOf(lot: Lot, prices: SweepPrices): SweepPiecesAnswer['pieces'][number] {
  const { objectId, cost, leftAt, isSold, proceeds } = lot;
  const { resultMist, resultMicroUsd, suiHeldMicroUsd } = resultOf(lot, prices);
  return {
    objectId,
    place: leftAt === null ? 'held' : isSold ? 'sold' : 'given-away',
    boughtAt: cost.at.toISOString(),
    boughtDigest: cost.digest,
    costMist: digits(cost.mist),
    leftAt: leftAt?.toISOString() ?? null,
    paidDigest: proceeds?.digest ?? null,
    proceedsMist: digits(proceeds?.mist ?? null),
    resultMist: digits(resultMist),
    resultUsd: usd(resultMicroUsd),
    suiHeldUsd: usd(suiHeldMicroUsd),
  };
}

const digits = (amount: bigint | null): string | null => amount?.toString() ?? null;
const usd = (microUsd: bigint | null): number | null =>
  microUsd === null ? null : toNumber(microUsd, microUsdDecimals);
