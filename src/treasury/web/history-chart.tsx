import { type PointerEvent, useState } from 'react';
import { line } from 'd3-shape';
import { instantInWords } from '../../ui/age-in-words.ts';
import { formatUsd, formatUsdTick } from './number-format.ts';
import type { ShownPoint } from './treasury-answer.ts';

const frame = { width: 1000, height: 300 };
const thin = '[vector-effect:non-scaling-stroke]';

/**
 * Value over time as a line. Pointer, finger and arrow keys (the slider under the chart) read single hours
 * off it.
 */
export function HistoryChart({ points }: { readonly points: readonly ShownPoint[] }) {
  const [asked, setAsked] = useState<number | null>(null);
  const plot = plotHistory(points, frame);
  const spots = plot?.segments.flat() ?? [];
  const index = Math.min(asked ?? spots.length - 1, spots.length - 1);
  const spot = spots[index];
  if (plot === null || spot === undefined) return null;
  const usd = formatUsd(spot.point.totalUsdValue);
  const at = instantInWords(spot.point.at);
  return (
    <div className="mt-3">
      <p className="flex min-h-14 flex-wrap items-baseline gap-x-3 sm:min-h-7">
        <strong className="text-xl wrap-anywhere">{usd}</strong> <span className="text-sm text-quiet">{at}</span>
      </p>
      <Plot plot={plot} spot={spot} onRead={(x) => setAsked(nearestIndex(spots, x))} onLeave={() => setAsked(null)} />
      <input
        type="range"
        className="mt-2 ml-14 block h-11 w-[calc(100%-3.5rem)] cursor-ew-resize accent-quiet"
        min={0}
        max={spots.length - 1}
        value={index}
        aria-label="Reading"
        aria-valuetext={`${usd}, ${at}`}
        onChange={(event) => setAsked(Number(event.currentTarget.value))}
      />
      <p className="ml-16 flex justify-between gap-4 text-sm text-quiet">
        <span>{instantInWords(spots[0]?.point.at ?? '')}</span>
        <span className="text-right">{instantInWords(spots.at(-1)?.point.at ?? '')}</span>
      </p>
    </div>
  );
}

interface PlotProps {
  readonly plot: HistoryPlot;
  readonly spot: PlottedPoint;
  /** `x` in units of the frame. */
  readonly onRead: (x: number) => void;
  readonly onLeave: () => void;
}

function Plot({ plot, spot, onRead, onLeave }: PlotProps) {
  const read = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onRead(((event.clientX - box.left) / box.width) * frame.width);
  };
  return (
    <div className="relative mt-3 h-64 w-full">
      <svg
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        preserveAspectRatio="none"
        className="absolute inset-y-0 right-0 h-full w-[calc(100%-4rem)] touch-pan-y overflow-visible"
        aria-hidden="true"
        onPointerMove={read}
        onPointerDown={read}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onLeave()}
      >
        <rect width={frame.width} height={frame.height} fill="transparent" />
        {plot.usdTicks.map(({ usd, y }) => (
          <path key={usd} d={`M0,${y}H${frame.width}`} className={`stroke-line ${thin}`} />
        ))}
        {plot.segments.map((segment) => (
          <path
            key={segment[0]?.point.at}
            d={linePath(segment)}
            className={`fill-none stroke-chart-2 stroke-[2.5] [stroke-linecap:round] [stroke-linejoin:round] ${thin}`}
          />
        ))}
        <path d={`M${spot.x},0V${frame.height}`} className={`stroke-quiet [stroke-dasharray:4_4] ${thin}`} />
        <path d={`M${spot.x},${spot.y}h0.01`} className={`stroke-ember stroke-11 [stroke-linecap:round] ${thin}`} />
      </svg>
      {plot.usdTicks.map(({ usd, y }) => (
        <span
          key={usd}
          className="pointer-events-none absolute left-0 w-14 -translate-y-1/2 text-right text-xs text-quiet"
          style={{ top: `${(y / frame.height) * 100}%` }}
        >
          {formatUsdTick(usd)}
        </span>
      ))}
    </div>
  );
}

/** Readings are hourly; a longer silence than this is a gap and is drawn as one, never bridged. */
const gapAfterMs = 2 * 3_600_000;

interface PlottedPoint {
  readonly point: ShownPoint;
  readonly x: number;
  readonly y: number;
}

interface HistoryPlot {
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
