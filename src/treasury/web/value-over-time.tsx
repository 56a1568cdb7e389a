import { useDeferredValue, useMemo, useState } from 'react';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/placeholders.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { HistoryChart, changePercent, type HistoryRow, historyRows } from './history-chart.tsx';
import { formatChangePercent, formatCount, formatUsd } from './number-format.ts';
import type { ShownPoint } from './treasury-answer.ts';
import { firstHistoryDays, type HistoryDays, useTreasuryHistory } from './treasury-query.ts';

const ranges = [1, 7, 30, 90] as const satisfies readonly HistoryDays[];

/** Rulings R3: value over time, from hourly snapshots. */
export function ValueOverTime() {
  const [days, setDays] = useState<HistoryDays>(firstHistoryDays);
  const { data: points, isError: failed, isFetching, refetch } = useTreasuryHistory(days);
  // Drawn in small steps: ninety days are a long table.
  const shown = useDeferredValue(useMemo(() => ({ points, failed, days }), [points, failed, days]));
  return (
    <Card as="section" aria-labelledby="value-over-time" className="noscript:hidden">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <SectionHeading id="value-over-time" title="Value over time" />
        <fieldset className="-mx-2 flex flex-wrap">
          <legend className="sr-only">Range</legend>
          {ranges.map((range) => (
            <label
              key={range}
              className="relative cursor-pointer px-2 py-2 text-sm font-semibold text-quiet has-checked:text-ink has-checked:underline has-checked:decoration-torch has-checked:decoration-3 has-checked:underline-offset-8 has-focus-visible:outline-3 has-focus-visible:outline-ember max-md:inline-flex max-md:min-h-11 max-md:items-center"
            >
              <input
                type="radio"
                name="history-range"
                className="sr-only"
                checked={range === days}
                onChange={() => setDays(range)}
              />
              <span>{range === 1 ? '1 day' : `${range} days`}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="mt-4">
        <HistoryBody {...shown} isTrying={isFetching} tryAgain={() => void refetch()} />
      </div>
    </Card>
  );
}

interface HistoryBodyProps {
  readonly points: readonly ShownPoint[] | undefined;
  readonly failed: boolean;
  readonly days: number;
  readonly isTrying: boolean;
  readonly tryAgain: () => void;
}

function HistoryBody({ points, failed, days, isTrying, tryAgain }: HistoryBodyProps) {
  if (points === undefined && failed) {
    return (
      <div className="flex flex-wrap items-center gap-4">
        <p className="text-quiet">The tally wall is unavailable right now. We try again every five minutes.</p>
        <Button busy={isTrying} onClick={tryAgain}>
          Try again
        </Button>
      </div>
    );
  }
  if (points === undefined) {
    return (
      <div className="min-h-112">
        <p className="text-quiet">Reading the tally wall…</p>
        <Skeleton className="mt-4 h-72 w-full" />
      </div>
    );
  }
  if (points.length < 2) {
    return <p className="text-quiet">One reading an hour: the line begins with the second. Come back in a while.</p>;
  }
  const change = changePercent(points);
  return (
    <div className="min-h-112">
      {change !== null && (
        <p className="text-sm text-quiet">
          <span className="tabular-nums">{formatChangePercent(change)}</span> from the first to the last reading shown.
          Gaps are hours without a reading.
        </p>
      )}
      <HistoryChart key={days} points={points} />
      <HistoryTable points={points} days={days} />
    </div>
  );
}

type Columns = readonly Column<HistoryRow>[];

const valueColumn = (name: string, usdOf: (row: HistoryRow) => number): Column<HistoryRow> => ({
  name,
  numeric: true,
  cell: (row) => formatUsd(usdOf(row)),
});
const hourly: Columns = [
  { name: 'Hour', cell: (row) => instantInWords(row.from) },
  valueColumn('Total Value', (row) => row.lastUsd),
];
const daily: Columns = [
  { name: 'Day (UTC)', cell: (row) => instantInWords(row.from).replace(/,.*$/, '') },
  valueColumn('Last', (row) => row.lastUsd),
  valueColumn('Low', (row) => row.lowUsd),
  valueColumn('High', (row) => row.highUsd),
  { name: 'Readings', numeric: true, cell: (row) => formatCount(row.readings) },
];

function HistoryTable({ points, days }: { readonly points: readonly ShownPoint[]; readonly days: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-4" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Value over time as a table</summary>
      {open && (
        <div className="mt-3 max-h-96 overflow-y-auto">
          <DataTable
            caption="Value over time, readings"
            columns={days > 2 ? daily : hourly}
            rows={historyRows(points, days)}
            keyOf={(row) => row.from}
          />
        </div>
      )}
    </details>
  );
}
