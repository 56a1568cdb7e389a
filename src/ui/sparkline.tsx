interface SparkPoint {
  /** null: not known. It is left out, and nothing is drawn across it. */
  readonly value: number | null;
  readonly isDashed: boolean;
}

interface SparklineProps {
  readonly points: readonly SparkPoint[];
  readonly className?: string;
}

const frame = { width: 300, height: 60 };

/** A small line without axes. Decoration: the words beside it say what it shows. */
export function Sparkline({ points, className = '' }: SparklineProps) {
  return (
    <svg
      viewBox={`0 -3 ${frame.width} ${frame.height + 6}`}
      preserveAspectRatio="none"
      className={`fill-none stroke-chart-2 stroke-2 [stroke-linecap:round] [stroke-linejoin:round] ${className}`}
      aria-hidden="true"
    >
      {sparkRuns(points).map(({ path, isDashed }) => (
        <path
          key={path}
          d={path}
          className={`[vector-effect:non-scaling-stroke] ${isDashed ? '[stroke-dasharray:2_5]' : ''}`}
        />
      ))}
    </svg>
  );
}

interface SparkRun {
  readonly path: string;
  readonly isDashed: boolean;
}

/** One path for each run of known values that are drawn alike; a run begins where the one before it ended. */
export function sparkRuns(points: readonly SparkPoint[]): readonly SparkRun[] {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  const xOf = (index: number): number => (index / Math.max(1, points.length - 1)) * frame.width;
  const yOf = (value: number): number =>
    high === low ? frame.height / 2 : frame.height - ((value - low) / (high - low)) * frame.height;
  const runs: { spots: string[]; isDashed: boolean }[] = [];
  let before: string | null = null;
  for (const [index, { value, isDashed }] of points.entries()) {
    const spot: string | null = value === null ? null : `${xOf(index).toFixed(1)},${yOf(value).toFixed(1)}`;
    if (spot !== null && (before === null || runs.at(-1)?.isDashed !== isDashed)) {
      runs.push({ spots: before === null ? [] : [before], isDashed });
    }
    if (spot !== null) runs.at(-1)?.spots.push(spot);
    before = spot;
  }
  return runs.map(({ spots, isDashed }) => ({
    path: spots.length === 1 ? `M${spots[0]}h0.01` : `M${spots.join('L')}`,
    isDashed,
  }));
}
