/** One line of the table that `npm run bench` prints. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly ok: boolean;
}

export const atLeast = (what: string, value: number, target: number, unit = '', note = ''): Row => ({
  what,
  measured: `${round(value)}${unit}${note === '' ? '' : ` (${note})`}`,
  target: `≥ ${target}${unit}`,
  ok: value >= target,
});

export const atMost = (what: string, value: number, target: number, unit = '', note = ''): Row => ({
  what,
  measured: `${round(value)}${unit}${note === '' ? '' : ` (${note})`}`,
  target: `≤ ${target}${unit}`,
  ok: value <= target,
});

const round = (value: number): string => String(Math.round(value * 100) / 100);

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** The smallest value that this share of the values does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
