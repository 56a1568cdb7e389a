import { line } from 'd3-shape';
import type { ShownNote, ShownPoint } from '../treasury-answer.ts';

/** Readings are hourly; a longer time than this without one is drawn as a gap, never bridged. */
const gapAfterMs = 2 * 3_600_000;
const dayMs = 86_400_000;

export interface PlottedPoint {
  readonly point: ShownPoint;
  readonly x: number;
  readonly y: number;
}

export interface HistoryPlot {
  /** One list per unbroken run of readings, or of estimated days. Those cover coins only, so the two are not joined. */
  readonly segments: readonly (readonly PlottedPoint[])[];
  /** The same money held in SUI: runs of days. */
  readonly heldSegments: readonly (readonly PlottedPoint[])[];
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
  isDaily: boolean,
): HistoryPlot | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const values = points.flatMap((point) => [point.totalUsdValue, point.heldInSui ?? point.totalUsdValue]);
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const ticks = roundTicks(low, high, 4);
  const bottom = ticks.at(0) ?? low;
  const top = ticks.at(-1) ?? high;
  const fromMs = Date.parse(first.at);
  const spanMs = Math.max(1, Date.parse(last.at) - fromMs);
  const xOf = ({ at }: ShownPoint) => ((Date.parse(at) - fromMs) / spanMs) * frame.width;
  const yOf = (usd: number) => frame.height - ((usd - bottom) / (top - bottom)) * frame.height;
  return {
    segments: splitWhere(
      points.map((point) => ({ point, x: xOf(point), y: yOf(point.totalUsdValue) })),
      (before, point) => before.estimated !== point.estimated || isGap(before, point, isDaily),
    ),
    heldSegments: splitWhere(
      points.flatMap((point) => (point.heldInSui === null ? [] : [{ point, x: xOf(point), y: yOf(point.heldInSui) }])),
      isDayMissing,
    ),
    usdTicks: ticks.map((usd) => ({ usd, y: yOf(usd) })),
  };
}

const dayOf = ({ at }: ShownPoint): number => Math.floor(Date.parse(at) / dayMs);

const isDayMissing = (before: ShownPoint, point: ShownPoint): boolean => dayOf(point) - dayOf(before) > 1;

/** Estimates are daily, whatever the readings are. */
function isGap(before: ShownPoint, point: ShownPoint, isDaily: boolean): boolean {
  if (isDaily || point.estimated === true) return isDayMissing(before, point);
  return Date.parse(point.at) - Date.parse(before.at) > gapAfterMs;
}

function splitWhere(
  plotted: readonly PlottedPoint[],
  isSplit: (before: ShownPoint, point: ShownPoint) => boolean,
): readonly (readonly PlottedPoint[])[] {
  const segments: PlottedPoint[][] = [];
  for (const spot of plotted) {
    const before = segments.at(-1)?.at(-1);
    if (before === undefined || isSplit(before.point, spot.point)) segments.push([]);
    segments.at(-1)?.push(spot);
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

/**
 * The team's notes by the index of the reading that they mark: the first one after the movement, which is where it shows. Notes on
 * movements after the last reading mark the last reading.
 */
export function notesByReading(
  plotted: readonly PlottedPoint[],
  notes: readonly ShownNote[],
): ReadonlyMap<number, readonly ShownNote[]> {
  const indexOf = ({ at }: ShownNote): number => {
    const index = plotted.findIndex(({ point }) => Date.parse(point.at) >= Date.parse(at));
    return index === -1 ? plotted.length - 1 : index;
  };
  const byIndex = new Map<number, readonly ShownNote[]>();
  for (const note of notes) byIndex.set(indexOf(note), [...(byIndex.get(indexOf(note)) ?? []), note]);
  return byIndex;
}

export function nearestIndex(plotted: readonly PlottedPoint[], x: number): number {
  const distances = plotted.map((spot) => Math.abs(spot.x - x));
  return distances.reduce((best, distance, index) => (distance < (distances[best] ?? 0) ? index : best), 0);
}

/** What the table behind the chart shows: each reading, or the last of each UTC day. Newest first. */
export const tableRows = (points: readonly ShownPoint[], isDaily: boolean): readonly ShownPoint[] =>
  (isDaily ? [...new Map(points.map((point) => [dayOf(point), point])).values()] : points).toReversed();

/** Change from the first to the last reading, in percent; null: there is none, or one of them covers coins only. */
export function changePercent(points: readonly ShownPoint[]): number | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2 || first.totalUsdValue === 0) return null;
  if (first.estimated !== last.estimated) return null;
  return ((last.totalUsdValue - first.totalUsdValue) / first.totalUsdValue) * 100;
}
