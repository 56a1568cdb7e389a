interface SparkPoint {
  /** null: not known, which leaves a gap in the line. */
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
  const { solid, dashed } = sparkPaths(points);
  return (
    <svg
      viewBox={`0 -3 ${frame.width} ${frame.height + 6}`}
      preserveAspectRatio="none"
      className={`fill-none stroke-chart-2 stroke-2 [stroke-linecap:round] [stroke-linejoin:round] ${className}`}
      aria-hidden="true"
    >
      <path d={solid} className="[vector-effect:non-scaling-stroke]" />
      <path d={dashed} className="[vector-effect:non-scaling-stroke] [stroke-dasharray:2_5]" />
    </svg>
  );
}

/** The known values as two paths: nothing crosses a gap, and each path continues where the other ended. */
export function sparkPaths(points: readonly SparkPoint[]): Readonly<Record<'solid' | 'dashed', string>> {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  const spotAt = (index: number, value: number): string => {
    const y = high === low ? frame.height / 2 : frame.height - ((value - low) / (high - low)) * frame.height;
    return `${((index / Math.max(1, points.length - 1)) * frame.width).toFixed(1)},${y.toFixed(1)}`;
  };
  const paths = { solid: '', dashed: '' };
  for (const [index, { value, isDashed }] of points.entries()) {
    if (value === null) continue;
    const before = points[index - 1];
    const kind = isDashed ? 'dashed' : 'solid';
    // A single value is a dot.
    if (before === undefined || before.value === null) paths[kind] += `M${spotAt(index, value)}h0.01`;
    else if (before.isDashed === isDashed) paths[kind] += `L${spotAt(index, value)}`;
    else paths[kind] += `M${spotAt(index - 1, before.value)}L${spotAt(index, value)}`;
  }
  return paths;
}
