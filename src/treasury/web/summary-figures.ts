import type { FigureState } from '../contract.ts';
import { nftCountText, totalNftCount } from './holdings-rows.ts';
import { formatSui, formatUsd } from './number-format.ts';
import type { ShownPoint, ShownTreasury } from './treasury-answer.ts';

/** Specification 9: shown when data is missing, always under `sampleLabel` (rulings R3). */
const sampleTotalUsd = 1247.5;
const sampleBalanceSui = 8420.3;
const sampleLabel = 'Sample figure: live data unavailable';
const nftFallbackLabel = 'Fallback figure: live data unavailable';

/** What one of the three cards shows (specification 2 and 4). */
export type SummaryCard = { readonly title: string } & (
  | { readonly kind: 'loading'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'sample'; readonly text: string; readonly label: string }
  | {
      readonly kind: 'value';
      readonly text: string;
      /** null: the answer does not say. */
      readonly state: FigureState | null;
      readonly asOf: string | null;
      readonly source: string | null;
    }
);

/** The answer so far. `snapshot` stays the last good one when a later refetch fails. */
export interface SummaryInput {
  readonly failed: boolean;
  readonly snapshot: ShownTreasury | null | undefined;
}

type Missing = { readonly text: string; readonly label: string };
type FigureName = 'totalUsdValue' | 'balanceInSui' | 'nftHoldings';

function readFigure(input: SummaryInput, name: FigureName, text: string | null, missing: Missing) {
  const figure = input.snapshot?.figures?.[name] ?? { state: null, asOf: null, source: null };
  if (text === null || figure.state === 'unavailable') return { kind: 'sample' as const, ...missing };
  return { kind: 'value' as const, text, ...figure };
}

/**
 * Total Value, SUI Holdings and NFT Holdings. 'Loading...' until the first answer, 'Error loading' when there never was
 * one, the sample figures when an answer came without the figure.
 */
export function summaryCards(input: SummaryInput): readonly [SummaryCard, SummaryCard, SummaryCard] {
  const titles = ['Total Value', 'SUI Holdings', 'NFT Holdings'] as const;
  const { snapshot } = input;
  if (snapshot === undefined || (snapshot === null && input.failed)) {
    const waiting = input.failed
      ? { kind: 'error' as const, text: 'Error loading' }
      : { kind: 'loading' as const, text: 'Loading...' };
    return [
      { title: titles[0], ...waiting },
      { title: titles[1], ...waiting },
      { title: titles[2], ...waiting },
    ];
  }
  const usd = snapshot?.totalUsdValue ?? null;
  const sui = snapshot?.balance?.balanceInSui ?? null;
  const nfts = snapshot?.nftBreakdown ? totalNftCount(snapshot.nftBreakdown) : null;
  const total = readFigure(input, 'totalUsdValue', usd === null ? null : formatUsd(usd), {
    text: formatUsd(sampleTotalUsd),
    label: sampleLabel,
  });
  const balance = readFigure(input, 'balanceInSui', sui === null ? null : formatSui(sui), {
    text: formatSui(sampleBalanceSui),
    label: sampleLabel,
  });
  const holdings = readFigure(input, 'nftHoldings', nfts === null ? null : nftCountText(nfts), {
    text: nftCountText(0),
    label: nftFallbackLabel,
  });
  return [
    { title: titles[0], ...total },
    { title: titles[1], ...balance },
    { title: titles[2], ...holdings },
  ];
}

const hourMs = 3_600_000;

export interface DayChange {
  readonly percent: number;
  readonly hours: number;
}

/**
 * The change beside the total: against the reading of 24 hours before, or the oldest there is since then. Readings are hourly, so one up
 * to three hours older stands for it. null: there is none that is an hour old, or no total.
 */
export function dayChange(
  points: readonly ShownPoint[],
  now: { readonly totalUsdValue: number | null; readonly asOf: string | null },
): DayChange | null {
  if (now.totalUsdValue === null || now.asOf === null) return null;
  const ageMs = ({ at }: ShownPoint): number => Date.parse(now.asOf ?? '') - Date.parse(at);
  const dayOld = points.findLast((point) => ageMs(point) >= 24 * hourMs && ageMs(point) <= 27 * hourMs);
  const before = dayOld ?? points.find((point) => ageMs(point) < 24 * hourMs);
  if (before === undefined || ageMs(before) < hourMs || before.totalUsdValue <= 0) return null;
  return {
    percent: ((now.totalUsdValue - before.totalUsdValue) / before.totalUsdValue) * 100,
    hours: Math.round(ageMs(before) / hourMs),
  };
}
