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
export type SummaryCard = { readonly title: string; readonly text: string } & (
  | { readonly kind: 'loading' }
  | { readonly kind: 'error' }
  | { readonly kind: 'sample'; readonly label: string }
  | {
      readonly kind: 'value';
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

type FigureName = 'totalUsdValue' | 'balanceInSui' | 'nftHoldings';

/** A card of an answer. `text`: null, the answer came without the figure. */
interface Read {
  readonly title: string;
  readonly figure: FigureName;
  readonly text: string | null;
  readonly sample: string;
  readonly label: string;
}

/**
 * Total Value, SUI Holdings and NFT Holdings. 'Loading...' until the first answer, 'Error loading' when there never was
 * one, the sample figures when an answer came without the figure.
 */
export function summaryCards({ failed, snapshot }: SummaryInput): readonly SummaryCard[] {
  const isAwaited = snapshot === undefined || (snapshot === null && failed);
  const usd = snapshot?.totalUsdValue ?? null;
  const sui = snapshot?.balance?.balanceInSui ?? null;
  const nfts = snapshot?.nftBreakdown ? totalNftCount(snapshot.nftBreakdown) : null;
  const reads: readonly Read[] = [
    {
      title: 'Total Value',
      figure: 'totalUsdValue',
      text: usd === null ? null : formatUsd(usd),
      sample: formatUsd(sampleTotalUsd),
      label: sampleLabel,
    },
    {
      title: 'SUI Holdings',
      figure: 'balanceInSui',
      text: sui === null ? null : formatSui(sui),
      sample: formatSui(sampleBalanceSui),
      label: sampleLabel,
    },
    {
      title: 'NFT Holdings',
      figure: 'nftHoldings',
      text: nfts === null ? null : nftCountText(nfts),
      sample: nftCountText(0),
      label: nftFallbackLabel,
    },
  ];
  return reads.map(({ title, figure: name, text, sample, label }) => {
    if (isAwaited)
      return failed ? { title, kind: 'error', text: 'Error loading' } : { title, kind: 'loading', text: 'Loading...' };
    const figure = snapshot?.figures?.[name] ?? { state: null, asOf: null, source: null };
    if (text === null || figure.state === 'unavailable') return { title, kind: 'sample', text: sample, label };
    return { title, kind: 'value', text, ...figure };
  });
}

const hourMs = 3_600_000;

export interface DayChange {
  readonly percent: number;
  readonly hours: number;
}

/**
 * The change beside the total: against the reading of 24 hours before, or the oldest there is since then. Readings are hourly, so one up
 * to three hours older does for it. null: there is none that is an hour old, or no total.
 */
export function dayChange(
  points: readonly ShownPoint[],
  { totalUsdValue, asOf }: Pick<ShownTreasury, 'totalUsdValue' | 'asOf'>,
): DayChange | null {
  if (totalUsdValue === null || asOf === null) return null;
  const ageMs = ({ at }: ShownPoint): number => Date.parse(asOf) - Date.parse(at);
  const dayOld = points.findLast((point) => ageMs(point) >= 24 * hourMs && ageMs(point) <= 27 * hourMs);
  const before = dayOld ?? points.find((point) => ageMs(point) < 24 * hourMs);
  if (before === undefined || ageMs(before) < hourMs || before.totalUsdValue <= 0) return null;
  return {
    percent: ((totalUsdValue - before.totalUsdValue) / before.totalUsdValue) * 100,
    hours: Math.round(ageMs(before) / hourMs),
  };
}
