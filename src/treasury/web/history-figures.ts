import { line } from 'd3-shape';
import type { ShownPoint } from './treasury-answer.ts';

/** Readings are hourly; a longer silence than this is a gap and is drawn as one, never bridged. */
const gapAfterMs = 2 * 3_600_000;

export interface PlottedPoint {
  readonly point: ShownPoint;
  readonly x: number;
  readonly y: number;
}

export interface HistoryPlot {
  /** One list per unbroken run of readings. */
  readonly segments: readonly (readonly PlottedPoint[])[];
  readonly usdTicks: readonly { readonly usd: number; readonly y: number }[];
}

/** Round steps (1, 2, 5 times a power of ten) that cover the range with at most `count` steps. */
export function roundTicks(low: number, high: number, count: number): readonly number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999_999) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Where each reading is inside the frame. The axis need not begin at zero: the ticks say where it does. */
export function plotHistory(
  points: readonly ShownPoint[],
  frame: { readonly width: number; readonly height: number },
): HistoryPlot | null {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const values = points.map((point) => point.totalUsdValue);
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const ticks = roundTicks(low, high, 4);
  const [bottom, top] = [ticks.at(0) ?? low, ticks.at(-1) ?? high];
  const fromMs = Date.parse(first.at);
  const spanMs = Math.max(1, Date.parse(last.at) - fromMs);
  const xOf = ({ at }: ShownPoint) => ((Date.parse(at) - fromMs) / spanMs) * frame.width;
  const yOf = (usd: number) => frame.height - ((usd - bottom) / (top - bottom)) * frame.height;
  return {
    segments: splitAtGaps(points.map((point) => ({ point, x: xOf(point), y: yOf(point.totalUsdValue) }))),
    usdTicks: ticks.map((usd) => ({ usd, y: yOf(usd) })),
  };
}

function splitAtGaps(plotted: readonly PlottedPoint[]): readonly (readonly PlottedPoint[])[] {
  const segments: PlottedPoint[][] = [];
  let previousMs = Number.NEGATIVE_INFINITY;
  for (const spot of plotted) {
    const atMs = Date.parse(spot.point.at);
    if (atMs - previousMs > gapAfterMs) segments.push([]);
    segments.at(-1)?.push(spot);
    previousMs = atMs;
  }
  return segments;
}

const pathThrough = line<PlottedPoint>()
  .x((spot) => spot.x)
  .y((spot) => spot.y);

/** SVG path of a run; a lone reading becomes a dot (round caps draw a zero-length line). */
export const linePath = (segment: readonly PlottedPoint[]): string => {
  const [only, second] = segment;
  return only !== undefined && second === undefined ? `M${only.x},${only.y}h0.01` : (pathThrough([...segment]) ?? '');
};

export function nearestIndex(plotted: readonly PlottedPoint[], x: number): number {
  const distances = plotted.map((spot) => Math.abs(spot.x - x));
  return distances.reduce((best, distance, index) => (distance < (distances[best] ?? 0) ? index : best), 0);
}

/** One line of the table behind the chart: a single reading, or the readings of one UTC day. */
export interface HistoryRow {
  readonly from: string;
  readonly lastUsd: number;
  readonly lowUsd: number;
  readonly highUsd: number;
  readonly readings: number;
}

/** Hourly rows for up to two days, daily rows beyond (a thousand rows help no one). Newest first. */
export function historyRows(points: readonly ShownPoint[], days: number): readonly HistoryRow[] {
  const groups = new Map<string, HistoryRow>();
  for (const { at, totalUsdValue: usd } of points) {
    const key = days > 2 ? at.slice(0, 10) : at;
    const known = groups.get(key);
    groups.set(key, {
      from: known?.from ?? at,
      lastUsd: usd,
      lowUsd: Math.min(known?.lowUsd ?? usd, usd),
      highUsd: Math.max(known?.highUsd ?? usd, usd),
      readings: (known?.readings ?? 0) + 1,
    });
  }
  return [...groups.values()].toReversed();
}

/** Change from the first to the last reading, in percent; null: there is none. */
export function changePercent(points: readonly ShownPoint[]): number | null {
  const [first, last] = [points.at(0)?.totalUsdValue, points.at(-1)?.totalUsdValue];
  if (first === undefined || last === undefined || points.length < 2 || first === 0) return null;
  return ((last - first) / first) * 100;
}
