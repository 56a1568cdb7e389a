import { type PointerEvent, useState } from 'react';
import { transactionLink } from '../../../shared/explorer-links.ts';
import { foreignText } from '../../../shared/foreign-text.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { TransactionLink } from '../../../ui/links.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { wordsMax } from '../../core/ledger-words.ts';
import { formatUsd, formatUsdTick } from '../number-format.ts';
import {
  type HistoryPlot,
  linePath,
  nearestIndex,
  notesByReading,
  type PlottedPoint,
  plotHistory,
} from './history-plot.ts';
import type { ShownNote, ShownPoint } from '../treasury-answer.ts';

const frame = { width: 1000, height: 300 };
/** The lines differ in stroke as well as in color. */
export const lineLooks = {
  read: 'fill-none stroke-chart-2 stroke-[2.5] [stroke-linecap:round] [stroke-linejoin:round]',
  estimated: 'fill-none stroke-chart-2 stroke-2 [stroke-dasharray:7_4]',
  held: 'fill-none stroke-chart-4 stroke-2 [stroke-linecap:round] [stroke-dasharray:1_5]',
} as const;
const lookOf = ([first]: readonly PlottedPoint[]): string =>
  first?.point.estimated === true ? lineLooks.estimated : lineLooks.read;
const thin = '[vector-effect:non-scaling-stroke]';

interface HistoryChartProps {
  readonly points: readonly ShownPoint[];
  readonly notes: readonly ShownNote[];
  /** One point a day: a day without one is a gap. */
  readonly isDaily: boolean;
}

/**
 * Value over time as a line. Pointer, finger and arrow keys (the slider under the chart) read single points off
 * it.
 */
export function HistoryChart({ points, notes, isDaily }: HistoryChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const plot = plotHistory(points, frame, isDaily);
  const spots = plot?.segments.flat() ?? [];
  const lastIndex = spots.length - 1;
  const index = Math.min(chosen ?? lastIndex, lastIndex);
  const spot = spots[index];
  if (plot === null || spot === undefined) return null;
  const marks = notesByReading(spots, notes);
  const usd = formatUsd(spot.point.totalUsdValue);
  const { heldInSui, estimated } = spot.point;
  const at = `${instantInWords(spot.point.at)}${estimated === true ? ', estimated' : ''}`;
  const held = heldInSui === null ? '' : `The same money held in SUI: ${formatUsd(heldInSui)}`;
  const noted = (marks.get(index) ?? []).map((note) => `Team’s note: ${noteText(note)}`).join(', ');
  return (
    <div className="mt-3">
      <p className="flex min-h-21 flex-wrap items-baseline gap-x-3 sm:min-h-7">
        <strong className="text-xl wrap-anywhere">{usd}</strong> <span className="text-sm text-quiet">{at}</span>
        <span className="text-sm text-quiet tabular-nums">{held}</span>
      </p>
      {marks.size > 0 && <p className="h-6 truncate text-sm">{noted}</p>}
      <Plot
        plot={plot}
        spot={spot}
        marked={spots.filter((_spot, at) => marks.has(at))}
        onRead={(x) => setChosen(nearestIndex(spots, x))}
        onLeave={() => setChosen(null)}
      />
      <input
        type="range"
        className="mt-2 ml-14 block h-11 w-[calc(100%-3.5rem)] cursor-ew-resize accent-quiet"
        min={0}
        max={lastIndex}
        value={index}
        aria-label="Reading"
        aria-valuetext={[usd, at, held, noted].filter((text) => text !== '').join(', ')}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
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
  readonly marked: readonly PlottedPoint[];
  /** `x` in units of the frame. */
  readonly onRead: (x: number) => void;
  readonly onLeave: () => void;
}

function Plot({ plot, spot, marked, onRead, onLeave }: PlotProps) {
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
        {plot.heldSegments.map((segment) => (
          <path key={segment[0]?.point.at} d={linePath(segment)} className={`${lineLooks.held} ${thin}`} />
        ))}
        {plot.segments.map((segment) => (
          <path key={segment[0]?.point.at} d={linePath(segment)} className={`${lookOf(segment)} ${thin}`} />
        ))}
        <path d={`M${spot.x},0V${frame.height}`} className={`stroke-quiet [stroke-dasharray:4_4] ${thin}`} />
        <path d={`M${spot.x},${spot.y}h0.01`} className={`stroke-ember stroke-11 [stroke-linecap:round] ${thin}`} />
      </svg>
      {marked.map(({ point, x, y }) => (
        <span
          key={point.at}
          className="chart-mark pointer-events-none absolute -translate-1/2"
          style={{ left: `calc(4rem + (100% - 4rem) * ${x / frame.width})`, top: `${(y / frame.height) * 100}%` }}
        />
      ))}
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

const noteText = ({ text }: ShownNote): string => foreignText(text, wordsMax.note);

/** The marks of the chart as text, newest first (rulings R8: notes of the team as marks). */
export function HistoryNotes({ notes }: { readonly notes: readonly ShownNote[] }) {
  const { explorerUrl } = useSiteConfig();
  if (notes.length === 0) return null;
  return (
    <details className="mt-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">The team&rsquo;s notes ({notes.length})</summary>
      <ul aria-label="The team’s notes" className="mt-3 max-h-96 space-y-2 overflow-y-auto">
        {notes.toReversed().map((note) => (
          <li key={note.digest} className="wrap-anywhere">
            <span className="text-quiet">{instantInWords(note.at)}:</span> <bdi>{noteText(note)}</bdi>{' '}
            <TransactionLink href={transactionLink(explorerUrl, note.digest)} of={noteText(note)} />
          </li>
        ))}
      </ul>
    </details>
  );
}
