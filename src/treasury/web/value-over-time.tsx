import { useDeferredValue, useMemo, useState } from 'react';
import { Card } from '../../web/ui/card.tsx';
import { type Column, DataTable } from '../../web/ui/data-table.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { Tally } from '../../web/ui/tally.tsx';
import type { TreasuryHistoryPoint } from '../contract.ts';
import { instantInWords } from '../../web/age-in-words.ts';
import { HistoryChart } from './history-chart.tsx';
import { changePercent, type HistoryRow, historyRows } from './history-table.ts';
import { formatChangePercent, formatCount, formatUsd } from './number-format.ts';
import { useTreasuryHistory } from './treasury-query.ts';

const ranges = [
  { days: 1, words: '1 day' },
  { days: 7, words: '7 days' },
  { days: 30, words: '30 days' },
  { days: 90, words: '90 days' },
] as const;

/** Rulings R3: value over time, from hourly snapshots. */
export function ValueOverTime() {
  const [days, setDays] = useState<number>(30);
  const history = useTreasuryHistory(days);
  const { data: points, isError: failed } = history;
  // Drawn in small steps: ninety days are a long table.
  const shown = useDeferredValue(useMemo(() => ({ points, failed, days }), [points, failed, days]));
  return (
    <Card as="section" aria-labelledby="value-over-time" className="noscript:hidden">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <SectionHeading id="value-over-time" title="Value over time" level={3} />
        <fieldset className="-mx-2 flex flex-wrap">
          <legend className="sr-only">Range</legend>
          {ranges.map((range) => (
            <label
              key={range.days}
              className="relative cursor-pointer px-2 py-2 text-sm font-semibold text-quiet has-checked:text-ink has-checked:underline has-checked:decoration-torch has-checked:decoration-3 has-checked:underline-offset-8 has-focus-visible:outline-3 has-focus-visible:outline-ember"
            >
              <input
                type="radio"
                name="history-range"
                className="sr-only"
                checked={range.days === days}
                onChange={() => setDays(range.days)}
              />
              <span>{range.words}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="mt-4 min-h-112">
        <HistoryBody {...shown} />
      </div>
    </Card>
  );
}

interface HistoryBodyProps {
  readonly points: readonly TreasuryHistoryPoint[] | undefined;
  readonly failed: boolean;
  readonly days: number;
}

function HistoryBody({ points, failed, days }: HistoryBodyProps) {
  if (points === undefined) {
    return failed ? (
      <p className="text-quiet">The tally wall cannot be read right now. It is tried again every five minutes.</p>
    ) : (
      <>
        <p className="text-quiet">Reading the tally wall…</p>
        <Skeleton className="mt-4 h-72 w-full" />
      </>
    );
  }
  if (points.length < 2) {
    return (
      <div className="grid min-h-112 place-content-center justify-items-center gap-6 text-center text-quiet">
        <Tally count={Math.max(1, points.length)} />
        <p className="max-w-sm">
          The first marks are being carved: one reading an hour. A line needs two of them, so come back in a while.
        </p>
      </div>
    );
  }
  const change = changePercent(points);
  return (
    <>
      {change === null ? null : (
        <p className="text-sm text-quiet">
          <span className="tabular-nums">{formatChangePercent(change)}</span> from the first to the last reading shown.
          Gaps are hours without a reading.
        </p>
      )}
      <HistoryChart key={days} points={points} />
      <HistoryTable points={points} days={days} />
    </>
  );
}

const when = (row: HistoryRow, daily: boolean): string =>
  daily ? instantInWords(row.from).replace(/,.*$/, '') : instantInWords(row.from);

function HistoryTable({ points, days }: { readonly points: readonly TreasuryHistoryPoint[]; readonly days: number }) {
  const [open, setOpen] = useState(false);
  const daily = days > 2;
  const value: Column<HistoryRow> = {
    name: daily ? 'Last' : 'Total Value',
    numeric: true,
    cell: (row) => formatUsd(row.lastUsd),
  };
  const spread: readonly Column<HistoryRow>[] = [
    { name: 'Low', numeric: true, cell: (row) => formatUsd(row.lowUsd) },
    { name: 'High', numeric: true, cell: (row) => formatUsd(row.highUsd) },
    { name: 'Readings', numeric: true, cell: (row) => formatCount(row.readings) },
  ];
  const columns = [{ name: daily ? 'Day (UTC)' : 'Hour', cell: (row: HistoryRow) => when(row, daily) }, value];
  return (
    <details className="mt-4" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Value over time as a table</summary>
      {open ? (
        <div className="mt-3 max-h-96 overflow-y-auto">
          <DataTable
            caption="Value over time, readings"
            columns={daily ? [...columns, ...spread] : columns}
            rows={historyRows(points, days)}
            keyOf={(row) => row.from}
          />
        </div>
      ) : null}
    </details>
  );
}
